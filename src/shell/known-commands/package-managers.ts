/**
 * Package managers, where they only tell what there is: `npm ls`, `pip list`, `cargo tree`, `go list`. A
 * subcommand and an option that are not listed here are not known to be harmless, nor is a word that is not
 * literal. Left out on purpose: `yarn` and `pnpm` run what the project names (`yarnPath`, `.pnpmfile.cjs`)
 * whatever they are asked, `pip freeze` asks the version control of each editable package, and `go list
 * -json` of packages asks git.
 */

import { type Arg, isLiteral, literalArg } from "../arg.ts";
import type { CommandUse } from "../command-use.ts";
import type { KnownCommand } from "../judge-parts.ts";
import { START_DIRECTORY } from "../walk.ts";
import { asksVersion } from "./other-readers.ts";
import { judgeUnknown } from "./unknown.ts";

interface Question {
  /** Options without a value; with one, behind `=` or as the next word. */
  readonly flags: string;
  readonly values?: string;
  /** What the other words must look like; none are taken without it. */
  readonly words?: RegExp;
  /** It asks a registry. */
  readonly network?: true;
  /**
   * Files of the project that choose what it runs or whom it asks (globs): where one is there, it is more
   * than a question.
   */
  readonly settings?: readonly string[];
}

/** No URL, no path, no address of a repository. */
const packageName = /^(?:@[\w.-]+\/)?[\w][\w.-]*(?:@[\w.^~<>=*|-]+)?$/;
const word = /^[\w.,[\]'"@-]+$/;

const npmFlags = "--json --long -l --silent -s --quiet -q --no-color --no-unicode --unicode --global -g";
const npmLists: Question = {
  flags: `${npmFlags} --all -a --parseable -p --link --package-lock-only --workspaces -ws --include-workspace-root --production --prod --dev`,
  values: "--depth --omit --include --workspace -w --loglevel",
  words: packageName,
};
/** The registry, and what is sent along, may be the project's choice. */
const npmAsks: Question = {
  flags: npmFlags,
  values: "--loglevel",
  words: word,
  network: true,
  settings: [".npmrc*"],
};

/** A package, and the fields that are wanted: `dist-tags.latest`, `versions[0]`. */
const npmViews: Question = { ...npmAsks, words: /^(?:@[\w.-]+\/)?\w[\w.@^~<>=*|[\]-]*$/ };

const npm: Readonly<Record<string, Question>> = {
  ls: npmLists,
  list: npmLists,
  la: npmLists,
  ll: npmLists,
  explain: npmLists,
  why: npmLists,
  root: { flags: npmFlags },
  prefix: { flags: npmFlags },
  view: npmViews,
  info: npmViews,
  show: npmViews,
  outdated: { ...npmAsks, flags: `${npmFlags} --all -a --parseable -p`, words: packageName },
  search: npmAsks,
};

const pipLists: Question = {
  flags:
    "-v --verbose -q --quiet -e --editable --local -l --user --not-required --exclude-editable --include-editable --disable-pip-version-check --no-color",
  values: "--format --exclude",
};

const pip: Readonly<Record<string, Question>> = {
  list: pipLists,
  show: { flags: "-f --files -v --verbose -q --quiet --disable-pip-version-check", words: packageName },
  check: { flags: "-q --quiet --disable-pip-version-check" },
};

/** They name the compiler, and whole tool chains. */
const cargoSettings = [".cargo/config*", "rust-toolchain*"];

const cargo: Readonly<Record<string, Question>> = {
  tree: {
    flags:
      "--workspace --locked --offline --frozen -q --quiet -v --verbose -d --duplicates -i --no-dedupe --all-features --no-default-features --all-targets",
    values:
      "-p --package --exclude -e --edges --invert --prune --depth --prefix --charset -f --format -F --features --target --color",
    words: packageName,
    network: true,
    settings: cargoSettings,
  },
  metadata: {
    flags: "--no-deps --locked --offline --frozen -q --quiet --all-features --no-default-features",
    values: "--format-version --filter-platform -F --features --color",
    network: true,
    settings: cargoSettings,
  },
};

const goPackages: Question = {
  flags: "-deps -test -find -e",
  values: "-tags",
  // A pattern of packages: `./...`, `example.com/a/b`.
  words: /^(?!-)(?:\.{1,2}\/)?[\w./@-]*$/,
  network: true,
};

const go: Readonly<Record<string, Question>> = {
  list: goPackages,
  "list -m": { ...goPackages, flags: "-m -json -u -versions -e -retracted", values: "-f" },
  env: { flags: "-json", words: /^[A-Z0-9_]+$/ },
  "mod graph": { flags: "", network: true },
  "mod why": { flags: "-m -vendor", words: goPackages.words as RegExp, network: true },
};

export const PACKAGE_MANAGERS: readonly (readonly [string, KnownCommand])[] = [
  ["npm", asks(npm)],
  ["pip", asks(pip)],
  ["pip3", asks(pip)],
  ["cargo", asks(cargo)],
  ["go", asks(go)],
];

function asks(questions: Readonly<Record<string, Question>>): KnownCommand {
  const byName = new Map(Object.entries(questions));
  return (use) => {
    if (asksVersion(use)) return;
    const question = findQuestion(use, byName);
    // After a `cd` nobody here knows in which folder the project's files lie.
    const isPlaced = question?.settings === undefined || use.walk.directories === START_DIRECTORY;
    if (question === undefined || !isPlaced) {
      judgeUnknown(use);
      return;
    }
    use.readPath(literalArg("."));
    use.network = question.network === true;
    use.settings = question.settings;
  };
}

/** Undefined: something in the line is not known to be harmless. */
function findQuestion(use: CommandUse, questions: ReadonlyMap<string, Question>): Question | undefined {
  if (!use.args.every(isLiteral)) return undefined;
  const [, name = "", ...rest] = use.args.map(({ text }: Arg) => text);
  const longer = rest.find((text) => questions.has(`${name} ${text}`));
  const question = questions.get(longer === undefined ? name : `${name} ${longer}`);
  if (question === undefined) return undefined;
  return areHarmless(rest[0] === longer && !longer?.startsWith("-") ? rest.slice(1) : rest, question)
    ? question
    : undefined;
}

function areHarmless(words: readonly string[], { flags, values = "", words: form }: Question): boolean {
  const alone = new Set(flags.split(" "));
  const valued = new Set(values.split(" "));
  for (let at = 0; at < words.length; at++) {
    const text = words[at] ?? "";
    const [option = "", value] = splitOption(text);
    if (!text.startsWith("-")) {
      if (form?.test(text) !== true) return false;
    } else if (value === undefined && alone.has(text)) continue;
    else if (!valued.has(option)) return false;
    else if (value === undefined && (words[++at] ?? "-").startsWith("-")) return false;
  }
  return true;
}

function splitOption(text: string): readonly [string, string?] {
  const equals = text.indexOf("=");
  return equals < 0 ? [text] : [text.slice(0, equals), text.slice(equals + 1)];
}

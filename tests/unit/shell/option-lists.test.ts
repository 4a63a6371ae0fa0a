import { rgPath } from "@vscode/ripgrep";
import { afterAll, describe, expect, it } from "vitest";
import { OPTION_LISTS } from "../../../src/shell/known-commands/table.ts";
import { ATTACHED, type CompiledSpec, compileSpec, FLAG, REFUSED } from "../../../src/shell/option-spec.ts";
import { WRAPPER_OPTION_LISTS } from "../../../src/shell/wrappers/wrappers.ts";
import { type HelpOption, helpOptions, parseHelp } from "./help-options.ts";

/** Read from the help of other programs or from prose: not options. */
const NO_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  grep: ["-N"],
  egrep: ["-N"],
  fgrep: ["-N"],
  cut: ["-M"],
  numfmt: ["-M"],
  pr: ["-C"],
  diff: ["--GTYPE-group-format", "--LTYPE-line-format"],
  nice: ["-2"],
};

/** Where the list says another number of values than the help, and why. */
const OTHER_VALUES: Readonly<Record<string, readonly string[]>> = {
  // With a value on one system and without on another: what follows is an operand either way.
  ls: ["-D", "-I", "-T", "-w", "-p"],
  dir: ["-D", "-I", "-T", "-w", "-p"],
  vdir: ["-D", "-I", "-T", "-w", "-p"],
  column: ["-n"],
  stat: ["-f", "-t"],
  fmt: ["-t"],
  df: ["-T"],
  tar: ["-H", "-s", "-W"],
  date: ["-I"],
  // The text names a value only by its position.
  sort: ["-c", "-C", "--check"],
  lsof: "-c -d -e -F -g -i -o -p -r -s -S -T -u -x -z -Z -L -f".split(" "),
  shasum: ["-a", "--algorithm"],
  tree: ["-L", "-P", "-I", "-o", "-H", "-T", "--filelimit"],
  sed: ["-e", "-f"],
  file: ["-P", "--parameter"],
  strings: ["-U"],
  jq: ["--arg", "--argjson", "--slurpfile", "--rawfile"],
  hostname: ["--file"],
  // Optional to the program, though the text says otherwise.
  xargs: ["--max-lines"],
  ptx: ["-O", "-T"],
  // Optional on BSD: there the next word is the pattern, and the one after it a file.
  grep: ["--context"],
  egrep: ["--context"],
  fgrep: ["--context"],
  // An optional value came with a later version.
  fd: ["--strip-cwd-prefix"],
  cp: ["--update"],
  mv: ["--update"],
};

/** ripgrep comes with a package of ours, fd has another name on some systems; others are found by PATH. */
const OTHER_PROGRAMS: Readonly<Record<string, string>> = { rg: rgPath, fd: "fdfind" };

const programs = [...OPTION_LISTS, ...WRAPPER_OPTION_LISTS].map(([name, options]) => ({
  name,
  spec: compileSpec(options),
}));
const checked: string[] = [];
const absent: string[] = [];

describe("the option lists", () => {
  it.for(programs)(
    "know every option that $name --help names, and whether it takes a value",
    ({ name, spec }, { skip }) => {
      const options = helpOptions(OTHER_PROGRAMS[name] ?? name);
      if (options === undefined) {
        absent.push(name);
        skip("not installed, or without help");
        return;
      }
      checked.push(`${name} ${options.length}`);
      expect(problems(name, spec, options)).toEqual([]);
    },
  );

  afterAll(() => {
    console.log(`option lists: ${checked.length} programs compared with their help: ${checked.join(", ")}`);
    console.log(`skipped, ${absent.length} not installed or without help: ${absent.join(", ")}`);
  });

  it("were compared with most programs that every Linux has", () => {
    expect(checked.length).toBeGreaterThan(process.platform === "linux" ? 60 : -1);
  });
});

describe("the comparison", () => {
  it("finds an option that a list does not have, or that takes another number of values", () => {
    const spec = compileSpec(OPTION_LISTS.get("sort") ?? {});
    const options = parseHelp(
      [
        "  -k, --key=KEYDEF    sort via a key",
        "  -r, --reverse=HOW   with a value now",
        "  -Q, --quantum[=N]   new",
        "      --check=WORD, --check  check",
      ].join("\n"),
    );
    expect(problems("other", spec, options)).toEqual([
      "-r takes a value: required",
      "--reverse takes a value: required",
      "-Q is not in the list",
      "--quantum is not in the list",
    ]);
  });
});

function problems(program: string, spec: CompiledSpec, options: readonly HelpOption[]): string[] {
  const found: string[] = [];
  for (const { name, value } of options) {
    if (NO_OPTIONS[program]?.includes(name) || /^(?:--help|--version|--usage|-h|-V)$/.test(name)) continue;
    const code = name.startsWith("--")
      ? spec.long.get(name.slice(2))
      : spec.short[name.charCodeAt(1)] || undefined;
    const number = spec.numbers && /^-\d$/.test(name);
    if (code === undefined && !number) found.push(`${name} is not in the list`);
    if (code === undefined || code === REFUSED || value === "unknown") continue;
    if (OTHER_VALUES[program]?.includes(name)) continue;
    const listed = code === FLAG ? "none" : code === ATTACHED ? "optional" : "required";
    if (listed !== value) found.push(`${name} takes a value: ${value}`);
  }
  return found;
}

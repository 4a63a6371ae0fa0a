/** Programs whose nature is to write files: which operands they read and which they write. */

import { type Arg, LITERAL } from "../arg.ts";
import type { CommandUse, TreeReach } from "../command-use.ts";
import type { KnownCommand } from "../judge-parts.ts";
import { lazySpec } from "../option-spec.ts";
import { type OptionSpec, parseOptions } from "../options.ts";
import { EXECUTE, WRITE } from "../walk.ts";

type Meaning = "all-written" | "last-written" | "all-moved" | "after-first-written";

function writer(meaning: Meaning, options: OptionSpec): KnownCommand {
  const spec = lazySpec(options);
  return (use) => {
    use.raise(WRITE);
    const { operands, seen } = parseOptions(use, spec(), 1);
    const intoDirectory = seen.includes("t") || seen.includes("target-directory");
    // `chmod -w f`, `chmod --reference=x f`: no operand is the mode or the owner.
    const modeGiven = seen.some((name) => name === "reference" || /^[rwxXstugo]$/.test(name));
    if (operands.some((operand) => use.shiftsPaths(operand))) use.unknownPaths = true;
    operands.forEach((operand, i) => {
      const last = i === operands.length - 1 && !intoDirectory;
      if (meaning === "after-first-written" && i === 0 && !modeGiven) return;
      const entered = meaning === "all-moved" || seen.some((name) => RECURSIVE.has(name));
      const copied = meaning === "last-written";
      // What is copied or moved into a folder leaves the rest of it alone.
      const target = last && (copied || meaning === "all-moved");
      if (entered && !target) use.useTree(operand, copied ? "read" : "write", linksOf(seen));
      else if (copied && !target) use.readPath(operand);
      else use.writePath(operand);
      if (meaning === "all-moved") use.readPath(operand);
    });
  };
}

/** `cp -a` is recursive, too; `-R` of chmod, `-r` of rm. */
const RECURSIVE = new Set(["r", "R", "a", "recursive", "archive"]);

function linksOf(seen: readonly string[]): TreeReach {
  return seen.includes("L") || seen.includes("dereference") ? { followsLinks: true } : {};
}

function readDd(use: CommandUse): void {
  use.raise(WRITE);
  for (let i = 1; i < use.args.length; i++) {
    const arg = use.args[i] as Arg;
    const [, key, value] = /^([a-z]+)=([\s\S]*)$/.exec(arg.text) ?? [];
    if (key === undefined) use.raise(EXECUTE);
    else if (arg.kind !== LITERAL) use.unknownPaths = true;
    else if (key === "if") use.readPath({ ...arg, text: value ?? "" });
    else if (key === "of") use.writePath({ ...arg, text: value ?? "" });
  }
}

const MODE =
  "changes silent quiet verbose no-preserve-root preserve-root reference=< recursive dereference no-dereference help version";
const BACKUP =
  "backup? force interactive suffix= target-directory=> no-target-directory verbose help version";

const ALL: readonly (readonly [string, Meaning, OptionSpec])[] = [
  [
    "touch",
    "all-written",
    {
      flags: "acfhm",
      values: "dtA",
      reads: "r",
      long: "no-create date= no-dereference reference=< time= help version",
    },
  ],
  [
    "mkdir",
    "all-written",
    { flags: "pvZ", values: "m", long: "mode= parents verbose context? help version" },
  ],
  ["rmdir", "all-written", { flags: "pv", long: "ignore-fail-on-non-empty parents verbose help version" }],
  [
    "rm",
    "all-written",
    {
      flags: "dfiIPrRvWx",
      long: "force interactive? one-file-system no-preserve-root preserve-root? recursive dir verbose help version",
    },
  ],
  ["unlink", "all-written", { long: "help version" }],
  [
    "cp",
    "last-written",
    {
      flags: "abcdfHilLnpPrRsTuvxXZ",
      values: "S",
      writes: "t",
      long:
        `archive attributes-only copy-contents link dereference no-clobber no-dereference preserve? no-preserve= parents recursive reflink? ` +
        `remove-destination sparse= strip-trailing-slashes symbolic-link update? one-file-system context? keep-directory-symlink debug ${BACKUP}`,
    },
  ],
  [
    "mv",
    "all-moved",
    {
      flags: "bfhinTuvZ",
      values: "S",
      writes: "t",
      long: `no-clobber strip-trailing-slashes update? context exchange no-copy debug ${BACKUP}`,
    },
  ],
  [
    "ln",
    "last-written",
    {
      flags: "bdfFhiLnPrsTvw",
      values: "S",
      writes: "t",
      long: `directory logical no-dereference physical relative symbolic ${BACKUP}`,
    },
  ],
  [
    "install",
    "last-written",
    {
      flags: "bcCdDpTUvZ",
      values: "gmoS",
      writes: "t",
      refuses: "s",
      long: `compare directory group= mode= owner= preserve-timestamps strip! strip-program=! preserve-context context? debug ${BACKUP}`,
    },
  ],
  ["tee", "all-written", { flags: "aip", long: "append ignore-interrupts output-error? help version" }],
  [
    "truncate",
    "all-written",
    { flags: "co", values: "s", reads: "r", long: "no-create io-blocks reference=< size= help version" },
  ],
  [
    "mktemp",
    "all-written",
    {
      flags: "duqt",
      writes: "p",
      // An optional folder after `=`, which is not read here.
      long: "directory dry-run quiet suffix= tmpdir?! help version",
    },
  ],
  ["chmod", "after-first-written", { flags: "cfvRhHLPrwxXstugo", long: MODE }],
  ["chown", "after-first-written", { flags: "cfvRhHLPnx", long: `${MODE} from=` }],
  ["chgrp", "after-first-written", { flags: "cfvRhHLPnx", long: `${MODE} from=` }],
];

const asWriter = (spec: OptionSpec): OptionSpec => ({ ...spec, free: true, writer: true, abbreviates: true });

export const WRITER_SPECS: readonly (readonly [string, OptionSpec])[] = ALL.map(
  ([name, , spec]) => [name, asWriter(spec)] as const,
);

export const WRITERS: ReadonlyMap<string, KnownCommand> = new Map<string, KnownCommand>([
  ...ALL.map(([name, meaning, spec]): [string, KnownCommand] => [name, writer(meaning, asWriter(spec))]),
  ["dd", readDd],
]);

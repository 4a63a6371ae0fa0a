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

const WRITING: Readonly<Record<string, OptionSpec & { readonly meaning?: Meaning }>> = {
  touch: {
    flags: "acfhm",
    values: "dtA",
    reads: "r",
    long: "no-create date= no-dereference reference=< time= help version",
  },
  mkdir: { flags: "pvZ", values: "m", long: "mode= parents verbose context? help version" },
  rmdir: { flags: "pv", long: "ignore-fail-on-non-empty parents verbose help version" },
  rm: {
    flags: "dfiIPrRvWx",
    long: "force interactive? one-file-system no-preserve-root preserve-root? recursive dir verbose help version",
  },
  unlink: { long: "help version" },
  cp: {
    meaning: "last-written",
    flags: "abcdfHilLnpPrRsTuvxXZ",
    values: "S",
    writes: "t",
    long:
      `archive attributes-only copy-contents link dereference no-clobber no-dereference preserve? no-preserve= parents recursive reflink? ` +
      `remove-destination sparse= strip-trailing-slashes symbolic-link update? one-file-system context? keep-directory-symlink debug ${BACKUP}`,
  },
  mv: {
    meaning: "all-moved",
    flags: "bfhinTuvZ",
    values: "S",
    writes: "t",
    long: `no-clobber strip-trailing-slashes update? context exchange no-copy debug ${BACKUP}`,
  },
  ln: {
    meaning: "last-written",
    flags: "bdfFhiLnPrsTvw",
    values: "S",
    writes: "t",
    long: `directory logical no-dereference physical relative symbolic ${BACKUP}`,
  },
  install: {
    meaning: "last-written",
    flags: "bcCdDpTUvZ",
    values: "gmoS",
    writes: "t",
    refuses: "s",
    long: `compare directory group= mode= owner= preserve-timestamps strip! strip-program=! preserve-context context? debug ${BACKUP}`,
  },
  tee: { flags: "aip", long: "append ignore-interrupts output-error? help version" },
  truncate: {
    flags: "co",
    values: "s",
    reads: "r",
    long: "no-create io-blocks reference=< size= help version",
  },
  // `--tmpdir` takes a folder after `=`, which is not read here.
  mktemp: { flags: "duqt", writes: "p", long: "directory dry-run quiet suffix= tmpdir?! help version" },
  chmod: { meaning: "after-first-written", flags: "cfvRhHLPrwxXstugo", long: MODE },
  chown: { meaning: "after-first-written", flags: "cfvRhHLPnx", long: `${MODE} from=` },
  chgrp: { meaning: "after-first-written", flags: "cfvRhHLPnx", long: `${MODE} from=` },
};

/** Each with what its operands mean. */
const ALL = Object.entries(WRITING).map(([name, { meaning = "all-written", ...spec }]) => {
  const options: OptionSpec = { ...spec, free: true, writer: true, abbreviates: true };
  return { name, meaning, options };
});

export const WRITER_SPECS = ALL.map(({ name, options }) => [name, options] as const);

export const WRITERS: ReadonlyMap<string, KnownCommand> = new Map<string, KnownCommand>([
  ...ALL.map(({ name, meaning, options }): [string, KnownCommand] => [name, writer(meaning, options)]),
  ["dd", readDd],
]);

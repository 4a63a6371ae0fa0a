/** Programs whose nature is to write files: which operands they read and which they write. */

import { type Arg, LITERAL } from "../arg.ts";
import type { CommandUse } from "../command-use.ts";
import type { KnownCommand } from "../judge-parts.ts";
import { compileSpec, type OptionSpec, parseOptions } from "../options.ts";
import { EXECUTE, WRITE } from "../walk.ts";

type Meaning = "all-written" | "last-written" | "all-moved" | "after-first-written";

function writer(meaning: Meaning, spec: OptionSpec): KnownCommand {
  const compiled = compileSpec({ ...spec, free: true, writer: true });
  return (use) => {
    use.raise(WRITE);
    const { operands, seen } = parseOptions(use, compiled, 1);
    const intoDirectory = seen.includes("t") || seen.includes("target-directory");
    if (operands.some((operand) => use.shiftsPaths(operand))) use.unknownPaths = true;
    operands.forEach((operand, i) => {
      const last = i === operands.length - 1 && !intoDirectory;
      if (meaning === "after-first-written" && i === 0) return;
      if (meaning === "last-written" && !last) use.readPath(operand);
      else use.writePath(operand);
      if (meaning === "all-moved") use.readPath(operand);
    });
  };
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

const COPY =
  "archive backup? copy-contents force interactive link dereference no-clobber no-dereference preserve? no-preserve= parents recursive reflink? remove-destination sparse= " +
  "strip-trailing-slashes symbolic-link suffix= target-directory=> no-target-directory update? verbose one-file-system exchange no-copy debug help version";

const MODE =
  "changes silent quiet verbose no-preserve-root preserve-root reference=< recursive dereference no-dereference from= help version";

export const WRITERS: ReadonlyMap<string, KnownCommand> = new Map<string, KnownCommand>([
  [
    "touch",
    writer("all-written", {
      flags: "acfhm",
      values: "dt",
      reads: "r",
      long: "no-create date= no-dereference reference=< time= help version",
    }),
  ],
  ["mkdir", writer("all-written", { flags: "pvZ", values: "m", long: "mode= parents verbose help version" })],
  [
    "rmdir",
    writer("all-written", { flags: "pv", long: "ignore-fail-on-non-empty parents verbose help version" }),
  ],
  [
    "rm",
    writer("all-written", {
      flags: "dfiIrRv",
      long: "force interactive? one-file-system no-preserve-root preserve-root? recursive dir verbose help version",
    }),
  ],
  ["unlink", writer("all-written", { long: "help version" })],
  ["cp", writer("last-written", { flags: "abdfHilLnpPrRsTuvxZ", values: "S", writes: "t", long: COPY })],
  ["mv", writer("all-moved", { flags: "bfinTuvZ", values: "S", writes: "t", long: COPY })],
  [
    "ln",
    writer("last-written", {
      flags: "bdfFiLnPrsTv",
      values: "S",
      writes: "t",
      long: `${COPY} physical logical relative directory symbolic`,
    }),
  ],
  [
    "tee",
    writer("all-written", { flags: "aip", long: "append ignore-interrupts output-error? help version" }),
  ],
  [
    "truncate",
    writer("all-written", {
      flags: "co",
      values: "s",
      reads: "r",
      long: "no-create io-blocks reference=< size= help version",
    }),
  ],
  [
    "mktemp",
    writer("all-written", {
      flags: "duqt",
      values: "p",
      long: "directory dry-run quiet suffix= tmpdir? help version",
    }),
  ],
  ["chmod", writer("after-first-written", { flags: "cfvRrwxXstugo", long: MODE })],
  ["chown", writer("after-first-written", { flags: "cfvRhHLP", long: MODE })],
  ["chgrp", writer("after-first-written", { flags: "cfvRhHLP", long: MODE })],
  ["dd", readDd],
]);

/** Every program and builtin with a reader of its own. */

import type { CommandUse } from "../command-use.ts";
import type { KnownCommand } from "../judge-parts.ts";
import { readOperands } from "../operands.ts";
import { type CompiledSpec, compileSpec, parseOptions } from "../options.ts";
import { AWK, readAwk } from "./awk.ts";
import { BUILTINS } from "./builtins.ts";
import { readFind } from "./find.ts";
import { readGit } from "./git.ts";
import { INTERPRETERS } from "./interpreters.ts";
import { DATE, HOSTNAME, JQ, readDate, readHostname, readJq } from "./other-readers.ts";
import { READ_ONLY } from "./read-only.ts";
import { readSed, SED } from "./sed.ts";
import { readTar, TAR } from "./tar.ts";
import { readUnzip } from "./unzip.ts";
import { WRITER_SPECS, WRITERS } from "./writers.ts";
import { readXxd } from "./xxd.ts";

function reader(spec: CompiledSpec): KnownCommand {
  return (use: CommandUse) => readOperands(use, spec, parseOptions(use, spec, 1));
}

const READERS: readonly (readonly [string, CompiledSpec])[] = Object.entries(READ_ONLY).map(
  ([name, options]) => [name, compileSpec(options)] as const,
);

export const KNOWN_COMMANDS: ReadonlyMap<string, KnownCommand> = new Map<string, KnownCommand>([
  ...READERS.map(([name, spec]): [string, KnownCommand] => [name, reader(spec)]),
  ...BUILTINS,
  ["fdfind", reader(compileSpec(READ_ONLY.fd ?? {}))],
  ...WRITERS,
  ...INTERPRETERS,
  ["find", readFind],
  ["gfind", readFind],
  ["sed", readSed],
  ["gsed", readSed],
  ["awk", readAwk],
  ["gawk", readAwk],
  ["mawk", readAwk],
  ["nawk", readAwk],
  ["git", readGit],
  ["jq", readJq],
  ["date", readDate],
  ["hostname", readHostname],
  ["tar", readTar],
  ["gtar", readTar],
  ["unzip", readUnzip],
  ["xxd", readXxd],
]);

/** The option lists by program, to be compared with the programs' own help. */
export const OPTION_LISTS: ReadonlyMap<string, CompiledSpec> = new Map([
  ...READERS,
  ...WRITER_SPECS,
  ["sed", SED],
  ["gawk", AWK],
  ["jq", JQ],
  ["date", DATE],
  ["hostname", HOSTNAME],
  ["tar", TAR],
]);

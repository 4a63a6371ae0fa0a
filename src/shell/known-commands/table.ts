/** Every program and builtin with a reader of its own. */

import { eachWord } from "../../core/text/words.ts";
import type { CommandUse } from "../command-use.ts";
import type { KnownCommand } from "../judge-parts.ts";
import { readOperands } from "../operands.ts";
import { lazySpec } from "../option-spec.ts";
import { type OptionSpec, parseOptions } from "../options.ts";
import { AWK, readAwk } from "./awk.ts";
import { BUILTINS } from "./builtins.ts";
import { readFind } from "./find.ts";
import { readGit } from "./git/git.ts";
import { INTERPRETERS } from "./interpreters.ts";
import { DATE, HOSTNAME, JQ, readDate, readHostname, readJq } from "./other-readers.ts";
import { PACKAGE_MANAGERS } from "./package-managers.ts";
import { READ_ONLY } from "./read-only.ts";
import { readSed, SED } from "./sed.ts";
import { readTar, TAR } from "./tar.ts";
import { readUnzip } from "./unzip.ts";
import { WRITER_SPECS, WRITERS } from "./writers.ts";
import { readXxd } from "./xxd.ts";

function reader(options: OptionSpec): KnownCommand {
  const spec = lazySpec(options);
  return (use: CommandUse) => readOperands(use, spec(), parseOptions(use, spec(), 1));
}

export const KNOWN_COMMANDS: ReadonlyMap<string, KnownCommand> = new Map<string, KnownCommand>([
  ...Object.entries(READ_ONLY).map(([name, options]): [string, KnownCommand] => [name, reader(options)]),
  ...BUILTINS,
  ["fdfind", reader(READ_ONLY.fd ?? {})],
  ...WRITERS,
  ...INTERPRETERS,
  ...PACKAGE_MANAGERS,
  ...eachWord("find gfind", readFind),
  ...eachWord("sed gsed", readSed),
  ...eachWord("awk gawk mawk nawk", readAwk),
  ["git", readGit],
  ["jq", readJq],
  ["date", readDate],
  ["hostname", readHostname],
  ...eachWord("tar gtar", readTar),
  ["unzip", readUnzip],
  ["xxd", readXxd],
]);

/** The option lists by program, to be compared with the programs' own help. */
export const OPTION_LISTS: ReadonlyMap<string, OptionSpec> = new Map([
  ...Object.entries(READ_ONLY),
  ...WRITER_SPECS,
  ["sed", SED],
  ["gawk", AWK],
  ["jq", JQ],
  ["date", DATE],
  ["hostname", HOSTNAME],
  ["tar", TAR],
]);

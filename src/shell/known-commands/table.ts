/** Every program and builtin with a reader of its own. */

import type { CommandUse } from "../command-use.ts";
import type { KnownCommand } from "../judge-parts.ts";
import { compileSpec, type OptionSpec, parseOptions, readOperands } from "../options.ts";
import { readAwk } from "./awk.ts";
import { BUILTINS } from "./builtins.ts";
import { readFind } from "./find.ts";
import { readGit } from "./git.ts";
import { INTERPRETERS } from "./interpreters.ts";
import { readDate, readHostname, readJq } from "./other-readers.ts";
import { READ_ONLY } from "./read-only.ts";
import { readSed } from "./sed.ts";
import { WRITERS } from "./writers.ts";

function reader(options: OptionSpec): KnownCommand {
  const spec = compileSpec(options);
  return (use: CommandUse) => readOperands(use, spec, parseOptions(use, spec, 1));
}

export const KNOWN_COMMANDS: ReadonlyMap<string, KnownCommand> = new Map<string, KnownCommand>([
  ...Object.entries(READ_ONLY).map(([name, options]): [string, KnownCommand] => [name, reader(options)]),
  ...BUILTINS,
  ["fdfind", reader(READ_ONLY.fd ?? {})],
  ...WRITERS,
  ...INTERPRETERS,
  ["find", readFind],
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
]);

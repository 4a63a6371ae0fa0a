/** Reading programs with operands or programs of their own kind: jq, date, hostname, versions. */

import { eachWord } from "../../core/text/words.ts";
import { type Arg, isLiteral, LITERAL } from "../arg.ts";
import { CommandUse } from "../command-use.ts";
import { lazySpec } from "../option-spec.ts";
import { type OptionSpec, parseOptions } from "../options.ts";
import { EXECUTE } from "../walk.ts";

export const JQ: OptionSpec = {
  flags: "ncrjaCMSseRVh0",
  refuses: "fL",
  long:
    "null-input compact-output raw-output raw-output0 join-output ascii-output color-output monochrome-output sort-keys slurp exit-status raw-input tab indent= " +
    "seq stream stream-errors unbuffered ascii binary args jsonargs build-configuration from-file=! library-path=! run-tests! argfile! debug-dump-disasm " +
    "debug-trace? help version arg= argjson= slurpfile= rawfile=",
};

const JQ_SPEC = lazySpec(JQ);

/** `--arg name value` takes two words, so these are taken out before the others are read. */
export function readJq(use: CommandUse): void {
  const kept: Arg[] = [use.args[0] as Arg];
  for (let i = 1; i < use.args.length; i++) {
    const arg = use.args[i] as Arg;
    if (isLiteral(arg) && /^--(?:arg|argjson|slurpfile|rawfile)$/.test(arg.text)) {
      const value = use.args[i + 2];
      if (use.args.slice(i + 1, i + 3).some(CommandUse.mayShift))
        use.goesBeyond("words of jq may shift", EXECUTE);
      if (value !== undefined && /file$/.test(arg.text)) use.readPath(value);
      i += 2;
    } else kept.push(arg);
  }
  const view = new CommandUse(use.walk, kept);
  const { operands } = parseOptions(view, JQ_SPEC(), 1);
  use.takeOver(view);
  const program = operands[0];
  if (
    program !== undefined &&
    (program.kind !== LITERAL || /\b(?:import|include|input_filename|\$__prog)\b/.test(program.text))
  ) {
    use.goesBeyond("the program is not known or loads other files", EXECUTE);
  }
  for (let i = 1; i < operands.length; i++) use.readPath(operands[i] as Arg);
}

export const DATE: OptionSpec = {
  flags: "uRjn",
  attached: "Iv",
  refuses: "s",
  values: "d",
  reads: "fr",
  long: "date= debug file=< iso-8601? rfc-email rfc-3339= reference=< set=! utc universal uct resolution rfc-822 rfc-2822 help version",
  abbreviates: true,
};

const DATE_SPEC = lazySpec(DATE);

export function readDate(use: CommandUse): void {
  const { operands, seen } = parseOptions(use, DATE_SPEC(), 1);
  // On BSD `-j` says that the clock is not set; elsewhere it is an error.
  if (!seen.includes("j") && operands.some((operand) => !operand.prefix.startsWith("+")))
    use.goesBeyond("sets the clock", EXECUTE);
}

export const HOSTNAME: OptionSpec = {
  flags: "aAdfhiIsvyV",
  refuses: "bF",
  long: "alias all-fqdns domain fqdn long ip-address all-ip-addresses short verbose yp nis boot! file=! help version",
  abbreviates: true,
};

const HOSTNAME_SPEC = lazySpec(HOSTNAME);

export function readHostname(use: CommandUse): void {
  if (parseOptions(use, HOSTNAME_SPEC(), 1).operands.length > 0)
    use.goesBeyond("sets the name of the machine", EXECUTE);
}

/** `node --version` and the like. */
export function asksVersion(use: CommandUse): boolean {
  const only = use.args[1];
  return (
    use.args.length === 2 &&
    isLiteral(only) &&
    /^(?:--version|-V|-v|version)$/.test(only.text) &&
    ANSWERS.get(use.args[0]?.text ?? "")?.includes(only.text) === true
  );
}

const ANSWERS: ReadonlyMap<string, readonly string[]> = new Map([
  ...eachWord("node npm npx pnpm yarn bun php ruby", ["--version", "-v"]),
  ...eachWord("python python3 pip pip3 cargo rustc curl make", ["--version", "-V"]),
  ...eachWord("deno perl tsc gcc g++ clang cmake docker rustup wget gh java kubectl vim less tar zip jq rg", [
    "--version",
  ]),
  ["go", ["version"]],
]);

/** `xxd`: one dash, no clusters, only the first letters count: `-pn in out` writes `out`. */

import { type Arg, LITERAL, maybeOption } from "../arg.ts";
import { CommandUse } from "../command-use.ts";
import { EXECUTE, OPAQUE, WRITE } from "../walk.ts";

export function readXxd(use: CommandUse): void {
  let i = 1;
  for (; i < use.args.length; i++) {
    const arg = use.args[i] as Arg;
    if (arg.kind !== LITERAL) {
      if (maybeOption(arg)) use.goesBeyond(`${arg.text} may be an option`, EXECUTE);
      break;
    }
    if (!/^-./.test(arg.text)) break;
    if (arg.text === "--") {
      i++;
      break;
    }
    if (WITH_VALUE.test(arg.text)) {
      i++;
      if (use.args[i] !== undefined && CommandUse.mayShift(use.args[i] as Arg))
        use.goesBeyond(`${use.args[i]?.text} may become several words`, EXECUTE);
    } else if (!FLAG.test(arg.text) && !ATTACHED.test(arg.text)) {
      use.goesBeyond(`option ${arg.text} is not known to be harmless`, EXECUTE);
      if (use.risk !== OPAQUE) use.cannotTell(`it is not known what the option ${arg.text} does`);
    }
  }
  const operands = use.args.slice(i);
  if (operands[0] !== undefined) use.readPath(operands[0]);
  if (operands.length < 2 && !operands.some(CommandUse.mayShift)) return;
  use.goesBeyond("the second operand is written", WRITE);
  if (operands[1] === undefined) use.unknownPaths = true;
  else use.writePath(operands[1]);
}

const FLAG =
  /^--?(?:a|autoskip|b|bits|C|capitalize|d|e|E|EBCDIC|h|help|i|include|p|ps|postscript|plain|r|revert|t|u|v|version)$/;
const WITH_VALUE = /^--?(?:c|cols|g|groupsize|l|len|n|name|o|offset|R|s|seek|skip)$/;
const ATTACHED = /^-[cglos][-+]?(?:0x)?[\da-fA-F]+$/;

/** `test` and `[`: harmless, but `-v` and `-R` evaluate a subscript, and zsh evaluates numbers. */

import { wordSet } from "../../core/text/words.ts";
import { type Arg, GLOB, isLiteral, isNumber, MANY } from "../arg.ts";
import type { CommandUse } from "../command-use.ts";
import { trust } from "../walk.ts";

export function readTestBuiltin(use: CommandUse): void {
  const { args } = use;
  if (use.walk.zsh && args.some((arg, i) => ZSH_EVALUATES.test(arg.text) && !isAmongNumbers(args, i))) {
    use.cannotTell("zsh evaluates the operands of a numeric test; write numbers");
    return;
  }
  for (let i = 1; i < args.length; i++) {
    const arg = args[i] as Arg;
    if (isLiteral(arg)) {
      if (arg.text !== "-v" && arg.text !== "-R") continue;
      const name = args[i + 1];
      if (name !== undefined && (!isLiteral(name) || !/^(?:[A-Za-z_]\w*|\]|=|==|!=)$/.test(name.text))) {
        use.cannotTell("the test evaluates its operand; write the plain name of a variable");
        return;
      }
      continue;
    }
    if (arg.pathless) continue;
    if (!arg.tainted) {
      trust(use.walk, arg.names);
      continue;
    }
    // An unknown word must stand where it cannot become `-v`: beside an operator, or after a literal one.
    if (
      arg.kind === MANY ||
      arg.kind === GLOB ||
      !(isOperator(args[i - 1], i - 1) || isOperator(args[i + 1], i + 1))
    ) {
      use.cannotTell("a word of the test may turn out to be -v, which evaluates the next one; write it out");
      return;
    }
  }
}

/** `-eq` stands between two numbers, `-t` before one. */
function isAmongNumbers(args: readonly Arg[], at: number): boolean {
  const [before, after] = [args[at - 1], args[at + 1]];
  return (
    (after === undefined || after.text === "]" || isNumber(after)) &&
    (args[at]?.text === "-t" || (before !== undefined && isNumber(before)))
  );
}

const ZSH_EVALUATES = /^-(?:eq|ne|lt|le|gt|ge|t)$/;

function isOperator(arg: Arg | undefined, index: number): boolean {
  return index > 0 && isLiteral(arg) && OPERATORS.has(arg.text);
}

const OPERATORS = wordSet(
  "= == != < > -eq -ne -lt -le -gt -ge -nt -ot -ef -n -z -a -b -c -d -e -f -g -h -k -p -r -s -t -u -w -x -G -L -N -O -S",
);

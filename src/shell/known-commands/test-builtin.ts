/** `test` and `[`: harmless, except `-v` and `-R`, which evaluate the subscript of the name they are given. */

import { type Arg, GLOB, isLiteral, MANY } from "../arg.ts";
import type { CommandUse } from "../command-use.ts";
import { trust } from "../walk.ts";

export function readTestBuiltin(use: CommandUse): void {
  const { args } = use;
  for (let i = 1; i < args.length; i++) {
    const arg = args[i] as Arg;
    if (isLiteral(arg)) {
      if (arg.text !== "-v" && arg.text !== "-R") continue;
      const name = args[i + 1];
      if (name !== undefined && (!isLiteral(name) || !/^(?:[A-Za-z_]\w*|\]|=|==|!=)$/.test(name.text))) {
        use.cannotTell("a test that evaluates its operand");
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
      use.cannotTell("a test with a word that may be the operator -v");
      return;
    }
  }
}

function isOperator(arg: Arg | undefined, index: number): boolean {
  return index > 0 && isLiteral(arg) && OPERATORS.has(arg.text);
}

const OPERATORS = new Set(
  "= == != < > -eq -ne -lt -le -gt -ge -nt -ot -ef -n -z -a -b -c -d -e -f -g -h -k -p -r -s -t -u -w -x -G -L -N -O -S".split(
    " ",
  ),
);

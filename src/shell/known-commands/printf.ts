/**
 * `printf`: `-v` and `%n` assign to a name, whose subscript is evaluated; zsh evaluates what a number is
 * printed from.
 */

import { type Arg, isLiteral, isNumber, MANY, ONE } from "../arg.ts";
import type { CommandUse } from "../command-use.ts";

export function readPrintf(use: CommandUse): void {
  const start = use.args[1]?.text === "--" ? 2 : 1;
  const format = use.args[start];
  const values = use.args.slice(start + 1);
  if (format === undefined) return;
  if (!isLiteral(format)) {
    // Without values no conversion has a name to assign to.
    if (values.length > 0 || format.kind !== ONE)
      use.cannotTell("the format of printf is only known when it runs; write it out, such as '%s'");
  } else if (start === 1 && /^-./.test(format.text))
    use.cannotTell("printf has an option, which may set a variable; leave it out");
  else readFormat(use, format.text, values);
}

function readFormat(use: CommandUse, format: string, values: readonly Arg[]): void {
  const rest = format.replace(CONVERSIONS, "");
  if (rest.includes("%"))
    use.cannotTell("the format of printf has a conversion that is not known; write %s or %d");
  if (!use.walk.zsh || !NUMERIC.test(format.replaceAll("%%", ""))) return;
  if (!values.every((value) => value.kind !== MANY && isNumber(value)))
    use.cannotTell("zsh evaluates what printf prints as a number; write %s");
}

/**
 * Every `%` must begin one of these. A format from the line can be trusted as far as it goes: values are only
 * text.
 */
const CONVERSIONS = /%(?:%|[-+ #0']*(?:\d+|\*)?(?:\.(?:\d+|\*)?)?(?:[csbqQ]|[diouxXeEfFgGaA]|\([^()]*\)T))/g;
const NUMERIC = /%[^%csbqQ]*[*diouxXeEfFgGaAT(]/;

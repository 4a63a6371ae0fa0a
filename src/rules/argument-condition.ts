/** Conditions on any argument of a tool, by the name of its field. */
import { readField } from "../core/input-roles.ts";
import type { CompilePattern } from "../core/pattern.ts";
import type { CallView, Holds, Operator, Scalar } from "./condition.ts";
import { insideFolder, resolvePath } from "./paths.ts";
import { textTest } from "./text-test.ts";

type ValueTest = (value: unknown, view: CallView) => boolean | undefined;

export function argumentHolds(
  operator: Operator,
  value: Scalar,
  field: string,
  compilePattern: CompilePattern,
): Holds | string {
  const test = valueTest(operator, value, compilePattern);
  if (typeof test === "string") return test;
  const each = field.includes("[]");
  return (_, view, widening) => {
    const { args } = view;
    if (typeof args !== "object" || args === null) return false;
    const found = readField(args as Record<string, unknown>, field);
    if (found === undefined) return false;
    return each && Array.isArray(found) ? holdsForList(found, test, view, widening) : test(found, view);
  };
}

/** `to[].role`: to widen, every element must hold; to narrow, one is enough. */
function holdsForList(
  list: readonly unknown[],
  test: ValueTest,
  view: CallView,
  widening: boolean,
): boolean | undefined {
  const answers = list.map((one) => test(one, view));
  if (widening) return answers.length > 0 && answers.every((answer) => answer === true);
  return answers.includes(true) || (answers.includes(undefined) ? undefined : false);
}

function valueTest(operator: Operator, value: Scalar, compilePattern: CompilePattern): ValueTest | string {
  if (operator === "equals") return (one) => one === value;
  if (operator === "lessThan" || operator === "greaterThan") {
    if (typeof value !== "number") return `${operator} needs a number, not ${JSON.stringify(value)}.`;
    return (one) => typeof one === "number" && (operator === "lessThan" ? one < value : one > value);
  }
  if (typeof value !== "string") return `${operator} on argument needs text, not ${JSON.stringify(value)}.`;
  if (value === "") return `${operator} with empty text would hold for everything.`;
  if (operator === "inside") {
    return (one, view) =>
      typeof one === "string" && insideFolder(resolvePath(one, view), resolvePath(value, view));
  }
  const test = textTest(operator, value, compilePattern);
  if (typeof test === "string") return test;
  return (one, view) => test(typeof one === "string" ? one : JSON.stringify(one), view);
}

/** Conditions on any argument of a tool, by the name of its field. */

import { isInside } from "../../core/input/inside-folder.ts";
import { readField } from "../../core/input/read-field.ts";
import type { CompilePattern } from "../../core/ports/pattern.ts";
import type { Operator } from "../shapes/operators.ts";
import type { CallView, Holds, Scalar } from "./condition.ts";
import { resolvePath } from "./place-conditions.ts";
import { holdsForEach, textTest } from "./text-test.ts";

type ValueTest = (value: unknown, view: CallView) => boolean | undefined;

export function argumentHolds(
  operator: Operator,
  value: Scalar,
  field: string,
  compilePattern: CompilePattern,
): Holds | string {
  if (operator === "keys") return keysHold(value, field);
  const test = valueTest(operator, value, compilePattern);
  if (typeof test === "string") return test;
  const each = field.includes("[]");
  return (_, view, widening) => {
    const { args } = view;
    if (typeof args !== "object" || args === null) return false;
    const found = readField(args as Record<string, unknown>, field);
    if (found === undefined) return false;
    // `to[].role` speaks of every element.
    return each && Array.isArray(found) ? holdsForEach(found, view, test, widening) : test(found, view);
  };
}

/** To widen, an object has no other keys than these. To narrow, one of them is enough. */
function keysHold(value: Scalar, field: string): Holds | string {
  if (typeof value !== "string" || value.trim() === "")
    return `keys needs names with blanks between them, not ${JSON.stringify(value)}.`;
  const names = new Set(value.trim().split(/\s+/));
  return (_, { args }, widening) => {
    const found = field === "." ? args : isRecord(args) ? readField(args, field) : undefined;
    if (!isRecord(found)) return false;
    const keys = Object.keys(found);
    return widening ? keys.every((key) => names.has(key)) : keys.some((key) => names.has(key));
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
      typeof one === "string" && isInside(resolvePath(one, view), resolvePath(value, view));
  }
  const test = textTest(operator, value, compilePattern);
  if (typeof test === "string") return test;
  return (one, view) => test(typeof one === "string" ? one : JSON.stringify(one), view);
}

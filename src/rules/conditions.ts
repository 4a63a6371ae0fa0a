/** Conditions compiled once: wrong ones are found when rules are loaded, not when a call meets them. */
import type { CommandRisk } from "../core/command.ts";
import { readField } from "../core/input-roles.ts";
import type { CompilePattern } from "../core/pattern.ts";
import { commandHolds } from "./command-condition.ts";
import {
  type Answer,
  type CallView,
  type CompiledCondition,
  type Condition,
  type ConditionType,
  conditionTypes,
  type Holds,
  type Operator,
  type Scalar,
} from "./condition.ts";
import { insideFolder, resolvePath } from "./paths.ts";
import { namesProtected, pathHolds, urlHolds } from "./place-conditions.ts";
import { textsHold, textTest } from "./text-test.ts";

const allowed: Record<ConditionType, readonly Operator[]> = {
  path: ["equals", "contains", "matches", "inside", "startsWith"],
  content: ["equals", "contains", "matches", "startsWith"],
  size: ["equals", "lessThan", "greaterThan"],
  risk: ["equals", "lessThan", "greaterThan"],
  command: ["equals", "contains", "matches", "startsWith"],
  url: ["equals", "contains", "matches", "inside", "startsWith"],
  argument: ["equals", "contains", "matches", "lessThan", "greaterThan", "inside", "startsWith"],
};

/** A string is the problem, said for the policy's author. */
export function compileCondition(
  condition: Condition,
  compilePattern: CompilePattern,
): CompiledCondition | string {
  const { type, operator, field } = condition;
  if (!conditionTypes.includes(type))
    return `condition type must be one of ${conditionTypes.join(", ")}, not ${JSON.stringify(type)}.`;
  if (!allowed[type].includes(operator)) {
    return `a ${type} condition takes ${allowed[type].join(", ")}, not ${JSON.stringify(operator)}.`;
  }
  if (type === "argument" && !field) return "an argument condition needs field: the argument's name.";
  const values = Array.isArray(condition.value)
    ? (condition.value as readonly Scalar[])
    : [condition.value as Scalar];
  if (values.some((value) => !["string", "number", "boolean"].includes(typeof value))) {
    return `the ${type} condition needs a value: text, a number, true or false, or a list of them.`;
  }
  if (values.length === 0)
    return `the ${type} condition has an empty list of values, so it could never hold.`;
  const one = values.map((value) => compileOne(type, operator, value, field, compilePattern));
  const problem = one.find((holds) => typeof holds === "string");
  if (typeof problem === "string") return problem;
  const names = type === "path" ? namesProtected(operator, values.map(String)) : undefined;
  return { type, holds: anyOf(one as Holds[]), names };
}

function compileOne(
  type: ConditionType,
  operator: Operator,
  value: Scalar,
  field: string | undefined,
  compilePattern: CompilePattern,
): Holds | string {
  if (operator === "lessThan" || operator === "greaterThan") {
    if (type === "risk") return riskHolds(operator, value);
    if (typeof value !== "number") return `${operator} needs a number, not ${JSON.stringify(value)}.`;
    return (_, view) =>
      compareNumber(operator, type === "size" ? view.sizeBytes() : numberAt(view, field), value);
  }
  if (type === "risk") return riskHolds(operator, value);
  if (type === "size") {
    if (typeof value !== "number") return `size needs a number of bytes, not ${JSON.stringify(value)}.`;
    return (_, view) => view.sizeBytes() === value;
  }
  if (type === "argument" && operator === "equals") {
    return (_, view, widening) => {
      const found = argumentsAt(view, field);
      if (widening) return found.length > 0 && found.every((one) => one === value);
      return found.some((one) => one === value);
    };
  }
  if (typeof value !== "string") return `${operator} on ${type} needs text, not ${JSON.stringify(value)}.`;
  if (value === "" && operator !== "equals") return `${operator} with empty text would hold for everything.`;
  if (type === "command") return commandHolds(operator, value, compilePattern);
  if (type === "path") return pathHolds(operator, value, compilePattern);
  if (type === "url") return urlHolds(operator, value, compilePattern);
  const test = textTest(operator, value, compilePattern);
  if (typeof test === "string") return test;
  if (type === "content") return (_, view, widening) => textsHold(view.content(), view, test, widening);
  return (_, view, widening) => {
    const texts = argumentsAt(view, field).map((one) =>
      typeof one === "string" ? one : JSON.stringify(one),
    );
    if (operator !== "inside") return textsHold(texts, view, test, widening);
    const folder = resolvePath(value, view);
    return textsHold(texts, view, (text) => insideFolder(resolvePath(text, view), folder), widening);
  };
}

function anyOf(list: readonly Holds[]): Holds {
  const [first] = list;
  if (first !== undefined && list.length === 1) return first;
  return (subject, view, widening) => {
    let strongest: Answer = false;
    for (const holds of list) {
      const answer = holds(subject, view, widening);
      if (answer === true) return true;
      if (answer === undefined || strongest === false) strongest = answer;
    }
    return strongest;
  };
}

const riskOrder: readonly CommandRisk[] = ["read", "write", "execute", "opaque"];

function riskHolds(operator: Operator, value: Scalar): Holds | string {
  const bound = riskOrder.indexOf(value as CommandRisk);
  if (bound === -1) return `risk is one of ${riskOrder.join(", ")}, not ${JSON.stringify(value)}.`;
  return (subject) => {
    const risk = riskOrder.indexOf(subject.risk);
    if (operator === "lessThan") return risk < bound;
    return operator === "greaterThan" ? risk > bound : risk === bound;
  };
}

/** The argument; each of them when the field says `to[].role`. */
function argumentsAt(view: CallView, field: string | undefined): readonly unknown[] {
  if (typeof view.args !== "object" || view.args === null || field === undefined) return [];
  const found = readField(view.args as Record<string, unknown>, field);
  if (found === undefined) return [];
  return field.includes("[]") && Array.isArray(found) ? found : [found];
}

function numberAt(view: CallView, field: string | undefined): number | undefined {
  const [value] = argumentsAt(view, field);
  return typeof value === "number" ? value : undefined;
}

function compareNumber(operator: Operator, actual: number | undefined, bound: number): boolean {
  if (actual === undefined) return false;
  return operator === "lessThan" ? actual < bound : actual > bound;
}

/** Conditions compiled once: wrong ones are found when rules are loaded, not when a call meets them. */
import type { CommandRisk } from "../../core/ports/command.ts";
import type { CompilePattern } from "../../core/ports/pattern.ts";
import { conditionTypes, type Operator, operatorsOf } from "../shapes/operators.ts";
import { riskOrder } from "../subject.ts";
import { argumentHolds } from "./argument-condition.ts";
import { commandHolds } from "./command-condition.ts";
import {
  type Answer,
  type CompiledCondition,
  type Condition,
  type Holds,
  type Scalar,
  stronger,
} from "./condition.ts";
import { folderHolds, namesProtected, pathHolds, urlHolds, workspaceHolds } from "./place-conditions.ts";
import { holdsForEach, textTest } from "./text-test.ts";

/** A string is the problem, said for the policy's author. */
export function compileCondition(
  condition: Condition,
  compilePattern: CompilePattern,
  beside: readonly (Condition | null)[] = [],
): CompiledCondition | string {
  const { type, operator, field } = condition;
  if (!conditionTypes.includes(type))
    return `condition type must be one of ${conditionTypes.join(", ")}, not ${JSON.stringify(type)}.`;
  const allowed: readonly Operator[] = operatorsOf[type];
  if (!allowed.includes(operator))
    return `a ${type} condition takes ${allowed.join(", ")}, not ${JSON.stringify(operator)}.`;
  if (type !== "argument" && field !== undefined)
    return `a ${type} condition takes no field; use type "argument" for that.`;
  if (type === "argument" && !field) return "an argument condition needs field: the argument's name.";
  const values: readonly Scalar[] = [condition.value].flat();
  if (values.some((value) => !["string", "number", "boolean"].includes(typeof value))) {
    return `the ${type} condition needs a value: text, a number, true or false, or a list of them.`;
  }
  if (values.length === 0)
    return `the ${type} condition has an empty list of values, so it could never hold.`;
  const anyFolder = beside.some((one) => one?.type === "folder");
  const one = values.map((value) => compileOne({ ...condition, anyFolder }, value, compilePattern));
  const problem = one.find((holds) => typeof holds === "string");
  if (typeof problem === "string") return problem;
  const names = type === "path" ? namesProtected(operator, values.map(String)) : undefined;
  const holdsForOpaque = type === "risk" && values.some((value) => compareRisk("opaque", operator, value));
  return { type, holds: anyOf(one as Holds[]), names, holdsForOpaque };
}

function compileOne(
  { type, operator, field = "", anyFolder }: Condition & { readonly anyFolder: boolean },
  value: Scalar,
  compilePattern: CompilePattern,
): Holds | string {
  if (type === "risk") return riskHolds(operator, value);
  if (type === "size") return sizeHolds(operator, value);
  if (type === "argument") return argumentHolds(operator, value, field, compilePattern);
  if (typeof value !== "string") return `${operator} on ${type} needs text, not ${JSON.stringify(value)}.`;
  if (value === "" && operator !== "equals") return `${operator} with empty text would hold for everything.`;
  if (type === "command") return commandHolds({ operator, value, anyFolder }, compilePattern);
  if (type === "path") return pathHolds(operator, value, compilePattern);
  if (type === "workspace") return workspaceHolds(operator, value);
  if (type === "folder") return folderHolds(operator, value);
  if (type === "url") return urlHolds(operator, value, compilePattern);
  const test = textTest(operator, value, compilePattern);
  if (typeof test === "string") return test;
  return (_, view, widening) => holdsForEach(view.content(), view, test, widening);
}

function anyOf(list: readonly Holds[]): Holds {
  const [first] = list;
  if (first !== undefined && list.length === 1) return first;
  return (subject, view, widening) => {
    let strongest: Answer = false;
    for (const holds of list) {
      strongest = stronger(strongest, holds(subject, view, widening));
      if (strongest === true) break;
    }
    return strongest;
  };
}

function riskHolds(operator: Operator, value: Scalar): Holds | string {
  if (typeof value !== "string" || !Object.hasOwn(riskOrder, value))
    return `risk is one of ${Object.keys(riskOrder).join(", ")}, not ${JSON.stringify(value)}.`;
  return (subject) => compareRisk(subject.risk, operator, value);
}

function compareRisk(risk: CommandRisk, operator: Operator, value: Scalar): boolean {
  const bound = riskOrder[value as CommandRisk];
  if (operator === "lessThan") return riskOrder[risk] < bound;
  return operator === "greaterThan" ? riskOrder[risk] > bound : riskOrder[risk] === bound;
}

function sizeHolds(operator: Operator, bytes: Scalar): Holds | string {
  if (typeof bytes !== "number") return `${operator} needs a number of bytes, not ${JSON.stringify(bytes)}.`;
  return (_, view) => {
    const actual = view.sizeBytes();
    if (operator === "lessThan") return actual < bytes;
    return operator === "greaterThan" ? actual > bytes : actual === bytes;
  };
}

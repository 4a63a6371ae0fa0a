/** What a condition can look at, and how it can compare. */

export const conditionTypes = [
  "path",
  "content",
  "size",
  "risk",
  "command",
  "url",
  "argument",
  "workspace",
  "folder",
] as const;

export type ConditionType = (typeof conditionTypes)[number];

/** Which operators a condition takes, by its type. An argument can be anything: it takes nearly all. */
export const operatorsOf = {
  path: ["equals", "contains", "matches", "inside", "startsWith", "files"],
  content: ["equals", "contains", "matches", "startsWith"],
  size: ["equals", "lessThan", "greaterThan"],
  risk: ["equals", "lessThan", "greaterThan"],
  command: ["equals", "contains", "matches", "startsWith", "usage"],
  url: ["equals", "contains", "matches", "inside", "startsWith"],
  argument: ["equals", "contains", "matches", "lessThan", "greaterThan", "inside", "startsWith", "keys"],
  workspace: ["equals", "inside"],
  folder: ["equals", "inside"],
} as const satisfies Record<ConditionType, readonly string[]>;

export const operators = [...operatorsOf.argument, "usage", "files"] as const;

export type Operator = (typeof operators)[number];

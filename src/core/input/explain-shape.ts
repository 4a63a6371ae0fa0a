/** Checks objects that somebody made in code. Files are checked with the place of each mistake. */
import { unknownKeys } from "./unknown-keys.ts";

export interface ObjectShape {
  readonly properties: Readonly<Record<string, PartShape>>;
  readonly required?: readonly string[];
  /** Keys that files do not have. */
  readonly others: readonly string[];
  /** Keys that are looked at elsewhere. */
  readonly unchecked?: readonly string[];
}

interface PartShape {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
}

export function explainMisshapen(
  given: object,
  { properties, required = [], others, unchecked = [] }: ObjectShape,
): string[] {
  const known = ["name", ...Object.keys(properties), ...others];
  const problems = explainUnknownKeys(given, known);
  for (const [key, part] of Object.entries(properties)) {
    const value = (given as Readonly<Record<string, unknown>>)[key];
    if (unchecked.includes(key) || (value === undefined && !required.includes(key))) continue;
    const wanted = unlessFit(value, part);
    if (wanted !== undefined) problems.push(`${key} must be ${wanted}, not ${JSON.stringify(value)}.`);
  }
  return problems;
}

export function explainUnknownKeys(given: object, known: readonly string[]): string[] {
  return unknownKeys(given, known).map(({ key, instead }) => `has an unknown key "${key}"; ${instead}`);
}

/** What the value should be; undefined: it is. */
function unlessFit(value: unknown, { type, enum: values, minimum = 0 }: PartShape): string | undefined {
  if (values !== undefined)
    return values.includes(value) ? undefined : `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;
  if (type === "string") return typeof value === "string" ? undefined : "text";
  // What is a duration in a file is a number in code.
  if (type !== "integer" && !(Array.isArray(type) && type.includes("integer"))) return undefined;
  return Number.isInteger(value) && Number(value) >= minimum ? undefined : "a whole number";
}

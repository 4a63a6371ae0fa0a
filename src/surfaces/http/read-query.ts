/** Reads a query by the route's schema: every name known and given once, every value of its type. */
import type { TSchema } from "typebox";
import type { Json } from "../../core/input/json.ts";
import { shownName } from "../../core/text/visible.ts";
import type { ValidationIssue, ValidationResult } from "../../core/tool/schema.ts";

export type QueryResult =
  | { readonly ok: true; readonly query: unknown }
  | { readonly ok: false; readonly detail: string; readonly issues?: readonly ValidationIssue[] };

/** `text` without the question mark. */
export type ReadQuery = (text: string) => QueryResult;

export function createReadQuery(
  schema: TSchema | undefined,
  compile: (schema: unknown) => (value: Json) => ValidationResult,
): ReadQuery {
  if (schema === undefined)
    return (text) =>
      text === ""
        ? { ok: true, query: noQuery }
        : { ok: false, detail: "This route takes no query: leave out what follows the question mark." };
  const properties = ((schema as { properties?: unknown }).properties ?? {}) as Record<string, QueryProperty>;
  const validate = compile(schema);
  const read: ReadQuery = (text) => {
    const values: Record<string, Json> = {};
    for (const [name, value] of new URLSearchParams(text)) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (property === undefined) {
        const known = Object.keys(properties).join(", ");
        return { ok: false, detail: `The query has no ${shownName(name)}; there is ${known}.` };
      }
      const isList = property.type === "array";
      const before = values[name];
      if (before !== undefined && !isList)
        return { ok: false, detail: `The query gives ${shownName(name)} twice: keep one.` };
      const converted = convert(value, isList ? property.items : property);
      values[name] = isList ? [...((before as readonly Json[] | undefined) ?? []), converted] : converted;
    }
    const result = validate(values);
    if (result.ok) return { ok: true, query: Object.freeze(values) };
    return { ok: false, detail: "The query does not have the right form.", issues: result.issues };
  };
  let empty: QueryResult | undefined;
  return (text) => {
    if (text !== "") return read(text);
    empty ??= read("");
    return empty;
  };
}

interface QueryProperty {
  readonly type?: string;
  readonly items?: QueryProperty;
}

/** What cannot be converted stays text, and the schema says what is wrong with it. */
function convert(text: string, property: QueryProperty | undefined): Json {
  if (property?.type === "integer" || property?.type === "number")
    return /^-?\d{1,16}(?:\.\d{1,10})?$/.test(text) ? Number(text) : text;
  if (property?.type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  return text;
}

const noQuery = Object.freeze({});

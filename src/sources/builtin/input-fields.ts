/** Short spellings for the schema of an input. Its type stays literal, so a tool's code knows its input. */
import type { InputSchema } from "./schema-with-synonyms.ts";

type Closed<Fields, Required extends readonly string[]> = {
  readonly type: "object";
  readonly properties: Fields;
  readonly additionalProperties: false;
} & (Required extends readonly [] ? unknown : { readonly required: Required });

/** An object that holds these fields and no others; `required` are those that must be there. */
export function closed<
  const Required extends readonly (keyof Fields & string)[],
  const Fields extends InputSchema["properties"],
>(required: Required, properties: Fields): Closed<Fields, Required> {
  const schema = { type: "object", properties, ...(required.length > 0 && { required }) };
  return { ...schema, additionalProperties: false } as Closed<Fields, Required>;
}

/**
 * The same, and not empty: for a tool that needs one of several fields. That it is one of them, their
 * descriptions say; model APIs refuse `anyOf` around an input.
 */
export function closedOneOf<const Fields extends InputSchema["properties"]>(properties: Fields) {
  return { ...closed([], properties), minProperties: 1 as const };
}

export function flag(description: string) {
  return { type: "boolean", description } as const;
}

/** A text of at least one character. */
export function nonEmpty(description: string, maxLength?: number) {
  const bounds = maxLength === undefined ? { minLength: 1 } : { minLength: 1, maxLength };
  return { type: "string", ...bounds, description } as const;
}

export function wholeNumber(minimum: number, maximum: number, description: string) {
  return { type: "integer", minimum, maximum, description } as const;
}

/** One path or more. */
export function pathList(maxItems: number, description: string) {
  const items = { type: "string", minLength: 1 } as const;
  return { type: "array", items, minItems: 1, maxItems, description } as const;
}

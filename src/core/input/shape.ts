/**
 * Shapes: plain JSON Schema that TypeScript reads as types. What somebody may write is said once, for the
 * check of files, editors, the REST API and the compiler. TypeBox reads the type; nothing of it is loaded.
 */
import type { XStatic } from "typebox/schema";
import { durationPattern } from "../text/duration.ts";

/** The type of a value of this shape. A key with nothing behind it counts as left out, so no part is null. */
export type Shaped<Shape> = DeepReadonly<XStatic<Shape>>;

export type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value;

export function text<const More extends object = object>(description: string, more?: More) {
  return { type: "string", description, ...(more as More) } as const;
}

export function choice<const Values extends readonly unknown[], const More extends object = object>(
  values: Values,
  description: string,
  more?: More,
) {
  return { enum: values, description, ...(more as More) } as const;
}

export function flag<const More extends object = object>(description: string, more?: More) {
  return { type: "boolean", description, ...(more as More) } as const;
}

/** A whole number. */
export function count<const More extends object = object>(minimum: number, description: string, more?: More) {
  return { type: "integer", minimum, description, ...(more as More) } as const;
}

/**
 * A time: a duration such as `90s`, or a whole number in the unit of its key. Whoever reads a file makes the
 * number of it, so that is its type; rules and settings in code are numbers.
 */
export function duration<const More extends object = object>(
  minimum: number,
  description: string,
  more?: More,
) {
  const shape = {
    type: ["integer", "string"],
    minimum,
    pattern: durationPattern,
    description: `${description} A duration (500ms, 90s, 5m, 1h, 30d), or a whole number in the unit of the key's name.`,
    ...more,
  };
  return shape as unknown as { readonly type: "integer"; readonly description: string } & More;
}

/** No other keys are allowed: a misspelt key would be a setting that silently does not hold. */
export function closed<const Properties extends object, const Required extends readonly string[]>(
  properties: Properties,
  required: Required,
  description: string,
) {
  return { type: "object", description, properties, required, additionalProperties: false } as const;
}

/** Names that somebody gives. */
export const named = { minLength: 1, maxLength: 100 } as const;

/** Values by names that somebody gives. May be empty: everything below the key commented out. */
export function byName<const Value extends object, const More extends object = object>(
  value: Value,
  description: string,
  more?: More,
) {
  return {
    type: ["object", "null"],
    description,
    propertyNames: { type: "string", ...named },
    additionalProperties: value,
    ...(more as More),
  } as const;
}

/** A part of a file with fixed keys. May be empty, like `byName`. */
export function section<const Properties extends object>(properties: Properties, description: string) {
  return { type: ["object", "null"], description, properties, additionalProperties: false } as const;
}

/** Where an alias means another thing by its input, a shape makes the tool's own of it. */

import type { Schema } from "../tool/schema.ts";
import type { JsonObject } from "./json.ts";

/** Never throws: what it does not understand it leaves as it is, for the schema to refuse. */
export type InputShape = (input: JsonObject) => JsonObject;

/** Shapes by alias. A schema carries them in `shapes`. */
export type InputShapes = ReadonlyMap<string, InputShape>;

const noShapes: InputShapes = new Map();

export function shapesOf(schema: Schema): InputShapes {
  if (typeof schema !== "object") return noShapes;
  const { shapes } = schema as { readonly shapes?: unknown };
  // A keyword of that name in somebody's JSON Schema is not a Map.
  return shapes instanceof Map ? (shapes as InputShapes) : noShapes;
}

/** A tool's input schema as model APIs take it: one object, without alternatives at the top. */
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import type { ObjectSchema } from "./formats.ts";

/**
 * Anthropic and OpenAI refuse a whole request when one tool has `anyOf` and its like at the top. There the
 * model is told all fields of all alternatives; the gate still checks the input by the schema as it is.
 */
export function plainObjectSchema(schema: JsonObject): ObjectSchema {
  const { $schema: _dialect, ...said } = schema;
  const alternatives = [said.anyOf, said.oneOf].flatMap(branches);
  const parts = branches(said.allOf);
  const rest = Object.fromEntries(Object.entries(said).filter(([word]) => !notAtTheTop.has(word)));
  const needed = [said, ...parts].flatMap(({ required }) => texts(required));
  const fields = [...alternatives, ...parts, said].map(({ properties }) =>
    isJsonObject(properties) ? properties : {},
  );
  const properties: JsonObject = Object.assign({}, ...fields);
  return {
    ...rest,
    type: "object",
    // OpenAI refuses an object that lists no properties.
    properties,
    ...(needed.length > 0 && { required: [...new Set(needed)] }),
  };
}

const notAtTheTop: ReadonlySet<string> = new Set([
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "enum",
  "const",
  "if",
  "then",
  "else",
  "dependentSchemas",
  "required",
  "properties",
]);

function branches(list: Json | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function texts(list: Json | undefined): readonly string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
}

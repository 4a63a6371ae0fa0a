/** A question of an upstream server as a person may read it: each line says who asks, nothing is hidden. */
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";
import { visible } from "../../../core/text/visible.ts";

const maxLines = 30;
const maxCharacters = 4_000;
const maxLineCharacters = 400;
const maxDepth = 8;

export function shownQuestion(from: string, params: JsonObject): JsonObject {
  const asker = visible(from, { maxLength: 100 });
  const said = typeof params.message === "string" ? params.message : "";
  const { requestedSchema } = params;
  return {
    ...params,
    message: quotedLines(asker, said),
    ...(requestedSchema !== undefined && { requestedSchema: shownSchema(requestedSchema, 0) }),
  };
}

/** A server must not speak in the name of another, or of the gate, by beginning a new line. */
function quotedLines(asker: string, said: string): string {
  const lines = said.slice(0, maxCharacters).split("\n");
  const shown = lines.slice(0, maxLines).map((line) => visible(line, { maxLength: maxLineCharacters }));
  const isCut = lines.length > maxLines || said.length > maxCharacters;
  return [`${asker} asks: ${shown[0] ?? ""}`, ...shown.slice(1).map((line) => `${asker} | ${line}`)]
    .concat(isCut ? [`(the question of ${asker} is longer, and not shown further)`] : [])
    .join("\n");
}

/** Words that a client shows beside a field. The choices themselves go back to the server as they are. */
const words = new Set(["title", "description"]);

function shownSchema(schema: Json, depth: number): Json {
  if (depth > maxDepth) return {};
  if (Array.isArray(schema)) return schema.map((one) => shownSchema(one, depth + 1));
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]): [string, Json] => {
      if (words.has(key) && typeof value === "string")
        return [key, visible(value, { maxLength: maxLineCharacters })];
      if (key === "enumNames" && Array.isArray(value))
        return [key, value.map((one) => (typeof one === "string" ? visible(one, { maxLength: 200 }) : one))];
      return [key, shownSchema(value as Json, depth + 1)];
    }),
  );
}

/** Names, choices and defaults go back letter by letter: where they hide something, nobody is asked. */
export function hidesInSchema(schema: Json | undefined, depth = 0): boolean {
  if (depth > maxDepth) return true;
  if (typeof schema === "string") return visible(schema) !== schema;
  if (Array.isArray(schema)) return schema.some((one) => hidesInSchema(one, depth + 1));
  if (schema === undefined || !isJsonObject(schema)) return false;
  return Object.entries(schema).some(
    ([key, value]) =>
      visible(key) !== key ||
      (!(words.has(key) && typeof value === "string") &&
        key !== "enumNames" &&
        hidesInSchema(value, depth + 1)),
  );
}

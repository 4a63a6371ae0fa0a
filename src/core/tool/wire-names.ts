/** The gate's own texts name tools by id; clients know other names. Only for texts that the gate wrote. */
import { isJsonObject, type Json, type JsonObject } from "../input/json.ts";
import { toWireName } from "./tool-name.ts";

/** Ids that a client can do something with. */
export type KnownIds = Pick<ReadonlySet<string>, "has">;

/** Whole words only: `fs.read` is not meant by `src/fs.read` or `fs.read.ts`. */
const idLike = /(?<![\w./-])[a-z]\w*(?:\.\w+)+(?![\w/-]|\.\w)/gi;

export function withWireNames(text: string, known: KnownIds): string {
  return text.replace(idLike, (word) => (known.has(word) ? toWireName(word) : word));
}

/** Its descriptions, however deep. Values are what a tool takes, and stay. */
export function schemaWithWireNames(schema: JsonObject, known: KnownIds): JsonObject {
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, namedIn(key, value, known)]));
}

const valueKeywords: ReadonlySet<string> = new Set(["default", "const", "enum", "examples"]);

function namedIn(key: string, value: Json, known: KnownIds): Json {
  if (typeof value === "string") return key === "description" ? withWireNames(value, known) : value;
  if (valueKeywords.has(key)) return value;
  if (Array.isArray(value)) return value.map((one) => namedIn("", one, known));
  return isJsonObject(value) ? schemaWithWireNames(value, known) : value;
}

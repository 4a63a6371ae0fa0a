/** How calls name a background process. */
import type { Json, JsonObject } from "../../../core/input/json.ts";

export const idSchema = {
  type: "string",
  minLength: 1,
  maxLength: 100,
  description: "The id that shell.exec gave when it started the process; its pid will do.",
} as const;

/** The names that other agents have for it. */
export const idSynonyms = [
  "bash_id",
  "shell_id",
  "process_id",
  "session_id",
  "task_id",
  "artifact_id",
  "pid",
] as const;

/** Codex and Gemini name processes by numbers. */
export function numberAsId(input: JsonObject): JsonObject {
  const { id, ...rest } = input;
  return typeof id === "number" ? { ...rest, id: String(id) as Json } : input;
}

/** Fields that some agents add to every call and that change nothing about it. */
import type { JsonObject } from "../../../core/input/json.ts";

const extras = new Set([
  "task_progress",
  "line_count",
  "explanation",
  "instruction",
  "instructions",
  "description",
  "modified_by_user",
  "ai_proposed_content",
]);

export function withoutExtras(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !extras.has(name)));
}

/** One line of JSON that others wrote: an object, or nothing that could be used. */
import type { JsonObject } from "../../core/input/json.ts";

export function parseLine(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}

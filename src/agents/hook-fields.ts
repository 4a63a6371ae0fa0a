/** Small things that the readers of several agents share. */
import type { Json } from "../core/input/json.ts";

/** Stands for the tool of an event that is no call. */
export const noCall = "(a new task)";

export function isText(value: Json | undefined): value is string {
  return typeof value === "string" && value !== "";
}

export function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^([A-Za-z]:[\\/]|\\\\)/.test(path);
}

/** What a route looks at in a call without a command, URL or path: fields that say what it is about. */
import type { KnownTool } from "../tool/known-tools.ts";

export const commonFields = ["query", "prompt", "pattern", "skill", "description"] as const;

/** Of the tools that everybody has and that state no roles, those whose calls hold such a field. */
const withThem = new Set(["web.search", "task.spawn", "skill.load", "tools.search"]);

export function readsCommonFields({ id }: KnownTool): boolean {
  return withThem.has(id);
}

export function commonTexts(input: Readonly<Record<string, unknown>>): string[] {
  return commonFields.flatMap((field) => {
    const value = Object.hasOwn(input, field) ? input[field] : undefined;
    return typeof value === "string" ? [value] : [];
  });
}

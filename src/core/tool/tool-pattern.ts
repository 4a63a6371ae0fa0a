/** Tool names as rules write them: a name, a list of names, or a pattern with `*`. */

import type { Shaped } from "../input/shape.ts";

const toolName = { type: "string", minLength: 1, pattern: "^[^\\s,|]+$" } as const;

export const toolPatternShape = {
  description:
    'A tool\'s name (Bash, WebFetch, fs.read), a pattern with * in quotes ("mcp__github__*"), or a list of them.',
  oneOf: [toolName, { type: "array", items: toolName, minItems: 1 }],
} as const;

export type ToolPattern = Shaped<typeof toolPatternShape>;

/** A tool as rules see it: every name it answers to, and how to tell whether two names mean the same tool. */
export interface NamedTool {
  readonly id: string;
  readonly names: readonly string[];
}

export type SameTool = (ruleName: string, tool: NamedTool) => boolean;

export function matchesTool(pattern: ToolPattern, tool: NamedTool, sameTool: SameTool): boolean {
  if (typeof pattern !== "string") return pattern.some((one) => matchesTool(one, tool, sameTool));
  if (pattern === "*") return true;
  if (!pattern.includes("*")) return sameTool(pattern, tool);
  return tool.names.some((name) => matchesWildcard(pattern, name));
}

/** A name as people search for it: itself, or with `*` for any text. */
export function matchesName(pattern: string, name: string): boolean {
  return pattern.includes("*") ? matchesWildcard(pattern, name) : pattern === name;
}

/** `*` stands for any characters. Matched greedily from both ends, without a regex: no pattern is slow. */
export function matchesWildcard(pattern: string, name: string): boolean {
  const parts = pattern.split("*");
  const first = parts[0] ?? "";
  const last = parts[parts.length - 1] ?? "";
  if (!name.startsWith(first)) return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = name.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
}

export function patternNames(pattern: ToolPattern): readonly string[] {
  return typeof pattern === "string" ? [pattern] : pattern;
}

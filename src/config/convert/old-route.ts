/** One route of an old tool-routes.json, as routes of today. */
import type { Json, JsonObject } from "../../core/input/json.ts";
import { visible } from "../../core/text/visible.ts";
import { findKnownTool } from "../../core/tool/known-tools.ts";

export interface ConvertedRoute {
  readonly routes: readonly { readonly name: string; readonly route: JsonObject }[];
  /** The author's own remarks. */
  readonly comment: string | undefined;
  /** What the author should look at. */
  readonly notes: readonly string[];
}

/** A string is the problem. */
export function convertRoute(name: string, old: JsonObject): ConvertedRoute | string {
  const notes: string[] = [];
  const note = (text: string): void => {
    notes.push(`${name}: ${text}`);
  };
  const comment = commentIn(old);
  const isNew = Object.hasOwn(old, "tool");
  const known = isNew ? newKeys : [...newKeys, "tool_pattern", "command_pattern"];
  const left = Object.keys(old).filter((key) => !known.includes(key) && !commentKeys.includes(key));
  if (left.length > 0)
    note(
      `left out, because toolgate knows no such key: ${left.map((key) => visible(key, { maxLength: 40 })).join(", ")}.`,
    );
  if (isNew) return { routes: [{ name, route: pick(old, newKeys) }], comment, notes };

  const { pattern, command_pattern: commandPattern, tool_pattern: toolPattern } = old;
  for (const [key, value] of Object.entries({
    pattern,
    command_pattern: commandPattern,
    tool_pattern: toolPattern,
  })) {
    if (value !== undefined && typeof value !== "string") return `${key} must be text.`;
  }
  if (pattern === undefined && commandPattern === undefined) return "needs a pattern or a command_pattern.";
  const named = typeof toolPattern === "string" ? toolNames(toolPattern) : undefined;
  if (toolPattern !== undefined && named === undefined)
    note(`the tool_pattern ${JSON.stringify(toolPattern)} is no list of names; check the tool.`);
  const rest = pick(
    old,
    newKeys.filter((key) => key !== "pattern"),
  );
  const finish = (tool: Json, text: Json, field: string | undefined): JsonObject => {
    if (typeof text === "string" && /\\[AZ]|\(\?#/.test(text))
      note("the pattern uses \\A, \\Z or (?#...), which JavaScript does not know.");
    const made = withMessage(rest, note);
    const pattern = typeof text === "string" ? keepsDollars(text, made.message, note) : text;
    return { tool, pattern, ...(field !== undefined && { field }), ...made };
  };
  const routes: { name: string; route: JsonObject }[] = [];
  // A route without command_pattern was about the URLs of WebFetch.
  if (pattern !== undefined) {
    const tool = commandPattern === undefined ? (named ?? "WebFetch") : "WebFetch";
    routes.push({ name, route: finish(tool, pattern, undefined) });
  }
  if (commandPattern !== undefined) {
    const tool = named ?? "Bash";
    const isShell = [tool].flat().every((one) => findKnownTool(one)?.id === "shell.exec");
    const both = pattern !== undefined;
    if (both) note(`had two patterns, so there are two routes now: ${name} and ${name}-command.`);
    routes.push({
      name: both ? `${name}-command` : name,
      route: finish(tool, commandPattern, isShell ? undefined : "command"),
    });
  }
  return { routes, comment, notes };
}

const newKeys = ["tool", "pattern", "flags", "field", "action", "message", "rewrite", "tests"];
const commentKeys = ["_comment", "comment", "description"];

/** `Bash`, `^(Read|Write)$` and `mcp__.*` are names; other regular expressions are not. */
function toolNames(pattern: string): string | string[] | undefined {
  const bare = pattern
    .replace(/^\^/, "")
    .replace(/\$$/, "")
    .replace(/^\((?:\?:)?([^()]*)\)$/, "$1");
  const names = bare.split("|").map((one) => one.trim().replaceAll(".*", "*"));
  if (!names.every((one) => /^[\w*-]+$/.test(one))) return undefined;
  const [first] = names;
  return names.length === 1 ? first : names;
}

/** A block without a message cannot be loaded: the model would not know what to do instead. */
function withMessage(rest: JsonObject, note: (text: string) => void): JsonObject {
  if (rest.message !== undefined || (rest.action !== undefined && rest.action !== "block")) return rest;
  note("has no message; write what to do instead.");
  return { message: "This is not done here.", ...rest };
}

/** Today `$1` in a message stands for a group. In an old file it was text, and nothing used the groups. */
function keepsDollars(pattern: string, message: Json | undefined, note: (text: string) => void): string {
  if (typeof message !== "string" || !/\$[1-9]/.test(message)) return pattern;
  if (/\\[1-9k]|\(\?P?[<=]/.test(pattern)) {
    note("the message holds $ and a number, which now stands for a group of the pattern; look at it.");
    return pattern;
  }
  return pattern.replaceAll(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?!\?)/g, (found) =>
    found === "(" ? "(?:" : found,
  );
}

function pick(from: JsonObject, keys: readonly string[]): JsonObject {
  const picked: Record<string, Json> = {};
  for (const key of keys) if (Object.hasOwn(from, key)) picked[key] = from[key] as Json;
  return picked;
}

export function commentIn(value: JsonObject): string | undefined {
  const texts = commentKeys
    .map((key) => (Object.hasOwn(value, key) ? value[key] : undefined))
    .flatMap((text) => (Array.isArray(text) ? (text as readonly Json[]) : [text as Json]))
    .filter((text) => typeof text === "string");
  return texts.length === 0 ? undefined : texts.join("\n");
}

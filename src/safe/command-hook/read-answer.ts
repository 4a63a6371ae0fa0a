/** Makes an answer of what a program printed. What looks like an answer and cannot be read is a failure, never "no objection". */
import type { HookAnswer, HookEvent, HookReply } from "../../core/hook.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { isClaudeAnswer, readClaudeAnswer } from "./claude-answer.ts";

/** Throws, saying why, when the hook has failed. */
export function readPrinted(stdout: string, event: HookEvent): HookReply {
  const text = stdout.replace(/^\ufeff/, "").trim();
  if (text === "") return undefined;
  const whole = parseJson(text);
  if (Array.isArray(whole)) throw new Error("it answered a list, not an object");
  const answer = whole !== undefined && isJsonObject(whole) ? whole : findObject(text);
  if (answer !== undefined) return readAnswer(answer, event);
  if (looksLikeAnswer(text)) throw new Error(`its answer is not valid JSON: ${shorten(text)}`);
  return text;
}

/** Of an object, by its shape: ours, or that of Claude Code and Codex. */
export function readAnswer(given: JsonObject, event: HookEvent): HookAnswer {
  const { answer, problem } = isClaudeAnswer(given)
    ? readMixed(given, event)
    : { answer: given as HookAnswer, problem: undefined };
  // A refusal counts even if the rest is nonsense; a hook that fails open must not lose it.
  if (answer.cancel === true || answer.wasCancelled === true) {
    const { errorMessage, contextModification } = answer;
    return {
      cancel: true,
      ...(typeof errorMessage === "string" && { errorMessage }),
      ...(typeof contextModification === "string" && { contextModification }),
    };
  }
  if (problem !== undefined) throw new Error(problem);
  return answer;
}

const ownKeys = ["cancel", "wasCancelled", "contextModification", "errorMessage", "ask", "modifiedParams"];

/** Both vocabularies in one object: whatever refuses in either counts. */
function readMixed(given: JsonObject, event: HookEvent): ReturnType<typeof readClaudeAnswer> {
  const entries = Object.entries(given);
  const own = Object.fromEntries(entries.filter(([key]) => ownKeys.includes(key)));
  const theirs = Object.fromEntries(entries.filter(([key]) => !ownKeys.includes(key)));
  const { answer, problem } = readClaudeAnswer(theirs, event);
  const merged = { ...own, ...answer, ...(own.cancel === true && { cancel: true }) } as HookAnswer;
  return { answer: merged, problem };
}

/** Something else was printed around it. The last line that is an object counts; else the last block that begins and ends a line. */
function findObject(text: string): JsonObject | undefined {
  const lines = text.split("\n");
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = (lines[index] as string).trim();
    if (!line.startsWith("{") || !line.endsWith("}")) continue;
    const value = parseJson(line);
    if (value !== undefined && isJsonObject(value)) return value;
  }
  const begin = lines.findLastIndex((line) => line.startsWith("{"));
  const end = lines.findLastIndex((line) => line.startsWith("}"));
  if (begin === -1 || end <= begin) return undefined;
  const value = parseJson(lines.slice(begin, end + 1).join("\n"));
  return value !== undefined && isJsonObject(value) ? value : undefined;
}

/** Somebody meant to say more than words. */
function looksLikeAnswer(text: string): boolean {
  return (
    /^\s*\{/m.test(text) ||
    /"(?:cancel|wasCancelled|modifiedParams|hookSpecificOutput|permissionDecision|decision|continue)"\s*:/.test(
      text,
    )
  );
}

export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

export function shorten(text: string, maxLength = 200): string {
  const one = text.trim();
  return one.length > maxLength ? `${one.slice(0, maxLength)}…` : one;
}

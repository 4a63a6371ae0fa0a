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
  return shorten(text, maxContextLength);
}

/** Of an object, by its shape: ours, or that of Claude Code and Codex. */
export function readAnswer(given: JsonObject, event: HookEvent): HookAnswer {
  const { answer, problem } = isClaudeAnswer(given)
    ? readMixed(given, event)
    : { answer: given as HookAnswer, problem: undefined };
  // A refusal counts even if the rest is nonsense; a hook that fails open must not lose it.
  if (answer.cancel === true || answer.wasCancelled === true) {
    const { errorMessage, contextModification } = answer;
    return withShortContext({
      cancel: true,
      ...(typeof errorMessage === "string" && { errorMessage: shorten(errorMessage, maxContextLength) }),
      ...(typeof contextModification === "string" && { contextModification }),
    });
  }
  if (problem !== undefined) throw new Error(problem);
  return withShortContext(answer);
}

/** What goes into a conversation is read by a model, over and over. */
const maxContextLength = 20_000;

function withShortContext(answer: HookAnswer): HookAnswer {
  const { contextModification: context } = answer;
  if (typeof context !== "string" || context.length <= maxContextLength) return answer;
  return { ...answer, contextModification: shorten(context, maxContextLength) };
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

/**
 * Something else was printed around it: a block from the first line that opens one to the last that closes it, else the last line that is
 * an object by itself. What is left over must not be a piece of another answer, or a refusal could hide in it.
 */
function findObject(text: string): JsonObject | undefined {
  const lines = text.split("\n").map((line) => line.trimEnd());
  const begin = lines.findIndex((line) => line.startsWith("{"));
  const end = lines.findLastIndex((line) => line.endsWith("}") && !/^\s/.test(line));
  if (begin === -1 || end < begin) return undefined;
  const block = parseObject(lines.slice(begin, end + 1).join("\n"));
  const objects = block === undefined ? lines.map(parseObject) : [];
  const rest =
    block === undefined
      ? lines.filter((_, index) => objects[index] === undefined)
      : [...lines.slice(0, begin), ...lines.slice(end + 1)];
  if (looksLikeAnswer(rest.join("\n"))) return undefined;
  return block ?? objects.findLast((one) => one !== undefined);
}

function parseObject(text: string): JsonObject | undefined {
  if (!text.startsWith("{") || !text.endsWith("}")) return undefined;
  const value = parseJson(text);
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

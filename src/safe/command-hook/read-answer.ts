/** Makes an answer of what a program printed. One that cannot be read is a failure, never "no objection". */
import type { HookAnswer, HookEvent, HookReply } from "../../core/call/hook.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import { isClaudeAnswer, readClaudeAnswer } from "./claude-answer.ts";

/** Throws, saying why, when the hook has failed. */
export function readPrinted(stdout: string, event: HookEvent): HookReply {
  const text = stdout.replace(/^\ufeff/, "").trim();
  if (text === "") return undefined;
  const objects = objectsIn(text);
  // A program that refuses in one line and says something else in another has refused.
  const refusal = objects.map((one) => refusalIn(one, event)).find((one) => one !== undefined);
  if (refusal !== undefined) return refusal;
  const whole = parseJson(text);
  if (Array.isArray(whole)) throw new Error("it answered a list, not an object");
  const answer = whole !== undefined && isJsonObject(whole) ? whole : onlyObject(text, objects);
  if (answer !== undefined) return readAnswer(answer, event);
  if (looksLikeAnswer(text)) throw new Error(`its answer is not valid JSON: ${shorten(text)}`);
  return shorten(text, maxContextLength);
}

function refusalIn(given: JsonObject, event: HookEvent): HookAnswer | undefined {
  try {
    const answer = readAnswer(given, event);
    return answer.cancel === true ? answer : undefined;
  } catch {
    // What it says instead is looked at below, where it counts as a failure.
    return undefined;
  }
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

/** The one object among other text. A refusal must not hide in the rest: it must not look like an answer. */
function onlyObject(text: string, objects: readonly JsonObject[]): JsonObject | undefined {
  if (objects.length > 1) throw new Error(`it printed ${objects.length} answers, and none of them refuses`);
  const [only] = objects;
  return only !== undefined && isAlone(text) ? only : undefined;
}

/** Whether the first object begins and ends with a line, and nothing like an answer stands beside it. */
function isAlone(text: string): boolean {
  const begin = text.search(/^\{/m);
  const end = begin === -1 ? -1 : endOfObject(text, begin);
  if (end === -1) return false;
  const behind = text.slice(end);
  return (
    /^[ \t]*(?:\r?\n|$)/.test(behind) && !looksLikeAnswer(text.slice(0, begin)) && !looksLikeAnswer(behind)
  );
}

const maxTries = 50;

/** Every JSON object in a text that is not part of another one. */
function objectsIn(text: string): JsonObject[] {
  const found: JsonObject[] = [];
  let at = text.indexOf("{");
  for (let tries = 0; at !== -1 && tries < maxTries; tries++) {
    const end = endOfObject(text, at);
    const value = end === -1 ? undefined : parseJson(text.slice(at, end));
    if (value !== undefined && isJsonObject(value)) found.push(value);
    at = text.indexOf("{", value === undefined ? at + 1 : end);
  }
  if (at !== -1) throw new Error("it printed more braces than can be read");
  return found;
}

/** Behind the brace that closes the one at `start`; -1 where none does. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (quoted) {
      if (char === BACKSLASH) at++;
      else if (char === QUOTE) quoted = false;
    } else if (char === QUOTE) quoted = true;
    else if (char === OPEN) depth++;
    else if (char === CLOSE && --depth === 0) return at + 1;
  }
  return -1;
}

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [34, 92, 123, 125];

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

/** Our entries among others in a JSON file of settings; comments, order and layout stay as they are. */
import { isDeepStrictEqual } from "node:util";
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { isRecord, type JsonObject } from "../../core/input/json.ts";
import { memberOf, membersOf } from "../read-json-file.ts";
import type { EditedText, FilePart, FoundLine } from "./file-part.ts";
import { type HookCommand, type HookLines, linesOf, ourWords, placeholderLines } from "./hook-lines.ts";
import { patchText } from "./patch-text.ts";

export interface JsonHooks {
  /** The agent's name, as the line says it. */
  readonly agent: string;
  readonly file: string;
  /** Where the events stand in the file. Default: `["hooks"]`. */
  readonly at?: readonly string[];
  /** Of each event what is put into its list: entries, or groups of entries (`{ matcher, hooks: [...] }`). */
  readonly hooks: (lines: HookLines) => JsonEvents;
  /** What the file must say beside them (`{ version: 1 }`). */
  readonly besides?: JsonObject;
  /** The agent takes comments and commas at the end of lists. */
  readonly withComments?: boolean;
  /** Nobody else writes into this file: one that is not ours is left alone. */
  readonly isOwn?: boolean;
  /** More than a line of ours in one of its fields. */
  readonly isOurs?: (entry: unknown) => boolean;
}

export type JsonEvents = Readonly<Record<string, readonly JsonObject[]>>;

export function hooksInJson(form: JsonHooks): FilePart {
  const edit = (text: string | undefined, change: (settings: unknown) => EditedSettings): EditedText => {
    const opened = openJson(text, form.withComments === true);
    if (!opened.ok) return opened;
    const edited = change(opened.value);
    if (!edited.ok) return edited;
    const isEmpty = membersOf(withoutBesides(edited.settings, form.besides)).length === 0;
    if (!edited.isChanged) return { ok: true, text, isEmpty };
    const next = newText(text, opened.value, edited.settings);
    return next === undefined
      ? { ok: false, message: "its comments would be lost; make the change by hand" }
      : { ok: true, text: next, isEmpty };
  };
  const isOurs = form.isOurs ?? ((entry: unknown) => isOurEntry(entry, form.agent));
  return {
    file: form.file,
    put(text, hook) {
      if (form.isOwn === true && text !== undefined && text.trim() !== "" && this.find(text).length === 0)
        return { ok: false, message: "it is not toolgate's, and stays as it is" };
      return edit(text, (settings) => addHooks(settings, form, hook));
    },
    take(text) {
      if (text.trim() === "") return { ok: true, text, isEmpty: true };
      const edited = edit(text, (settings) => removeHooks(settings, form));
      const isGone = form.isOwn === true && edited.ok && edited.isEmpty && edited.text !== text;
      return isGone ? { ...edited, text: undefined } : edited;
    },
    meaning(text) {
      const opened = openJson(text, form.withComments === true);
      return opened.ok ? withoutBesides(opened.value, form.besides) : undefined;
    },
    find(text) {
      const opened = openJson(text, form.withComments === true);
      if (!opened.ok) return [];
      const asks = eventsBefore(form);
      return membersOf(at(opened.value, form)).flatMap(([event, list]) =>
        entriesIn(list)
          .filter(isOurs)
          .map((entry): FoundLine => ({ line: lineIn(entry, form.agent), isBefore: asks.includes(event) })),
      );
    },
  };
}

type Settings = Readonly<Record<string, unknown>>;

type EditedSettings =
  | { readonly ok: true; readonly settings: Settings; readonly isChanged: boolean }
  | { readonly ok: false; readonly message: string };

/** Doing it again changes nothing. */
export function addHooks(settings: unknown, form: JsonHooks, hook: HookCommand): EditedSettings {
  const problem = findProblem(settings, form);
  if (problem !== undefined || !isRecord(settings)) return { ok: false, message: problem ?? "" };
  const events: Record<string, unknown> = { ...recordOf(at(settings, form)) };
  for (const [event, ours] of Object.entries(form.hooks(linesOf(form.agent, hook))))
    events[event] = withOurs(events[event], ours, form);
  return edited(settings, put({ ...form.besides, ...settings }, pathOf(form), events));
}

export function removeHooks(settings: unknown, form: JsonHooks): EditedSettings {
  const problem = findProblem(settings, form);
  if (problem !== undefined || !isRecord(settings)) return { ok: false, message: problem ?? "" };
  const before = at(settings, form);
  const events: Record<string, unknown> = {};
  for (const [event, list] of membersOf(before)) {
    const left = Array.isArray(list) ? withoutOurs(list, form) : list;
    // An event that was empty before us stays.
    if (!Array.isArray(left) || left.length > 0 || list === left) events[event] = left;
  }
  if (before === undefined) return edited(settings, settings);
  const isEmpty = Object.keys(events).length === 0 && membersOf(before).length > 0;
  return edited(settings, put(settings, pathOf(form), isEmpty ? undefined : events));
}

/** What the agent itself would refuse is not ours to repair. */
function findProblem(settings: unknown, form: JsonHooks): string | undefined {
  if (!isRecord(settings)) return "it must hold a JSON object";
  const path = pathOf(form);
  const events = eventsOf(form);
  for (let depth = 1; depth <= path.length; depth++) {
    const there = path.slice(0, depth).reduce(memberOf, settings as unknown);
    if (there === undefined) return undefined;
    if (!isRecord(there))
      return `"${path.slice(0, depth).join(".")}" must be an object whose keys are events, such as {"${events[0]}": [...]}`;
  }
  const wrong = events.find((event) => {
    const list = memberOf(at(settings, form), event);
    return list !== undefined && !Array.isArray(list);
  });
  return wrong === undefined ? undefined : `"${[...path, wrong].join(".")}" must be a list`;
}

/** Ours keep their place among the others; what is there a second time goes. */
function withOurs(list: unknown, ours: readonly JsonObject[], form: JsonHooks): unknown[] {
  let isPlaced = false;
  const kept = (Array.isArray(list) ? list : []).flatMap((item: unknown) => {
    const rest = withoutOurs([item], form);
    if (rest[0] === item) return [item];
    if (isPlaced || rest.length > 0) return rest;
    isPlaced = true;
    return ours;
  });
  return isPlaced ? kept : [...kept, ...ours];
}

/** The very same list if there was nothing of ours in it. */
function withoutOurs(list: readonly unknown[], form: JsonHooks): readonly unknown[] {
  const isOurs = form.isOurs ?? ((entry: unknown) => isOurEntry(entry, form.agent));
  const left = list.flatMap((item) => {
    const entries = memberOf(item, "hooks");
    if (!Array.isArray(entries)) return isOurs(item) ? [] : [item];
    if (!entries.some(isOurs)) return [item];
    const others = entries.filter((entry) => !isOurs(entry));
    return others.length === 0 ? [] : [{ ...recordOf(item), hooks: others }];
  });
  return left.length === list.length && left.every((item, index) => item === list[index]) ? list : left;
}

function isOurEntry(entry: unknown, agent: string): boolean {
  return membersOf(entry).some(([, value]) => ourWords(value, agent) !== undefined);
}

function lineIn(entry: unknown, agent: string): string {
  const line = membersOf(entry).find(([, value]) => ourWords(value, agent) !== undefined)?.[1];
  return typeof line === "string" ? line : "";
}

/** Of an event: each entry, in a group or not. */
function entriesIn(list: unknown): unknown[] {
  return (Array.isArray(list) ? list : []).flatMap((item: unknown) => {
    const entries = memberOf(item, "hooks");
    return Array.isArray(entries) ? (entries as unknown[]) : [item];
  });
}

function eventsOf(form: JsonHooks): string[] {
  return Object.keys(form.hooks(placeholderLines(form.agent)));
}

function eventsBefore(form: JsonHooks): string[] {
  const lines = placeholderLines(form.agent);
  const asking: readonly unknown[] = [lines.before.line, lines.before.aloud];
  const isBefore = (items: unknown) =>
    entriesIn(items).some((entry) => membersOf(entry).some(([, value]) => asking.includes(value)));
  return Object.entries(form.hooks(lines))
    .filter(([, items]) => isBefore(items))
    .map(([event]) => event);
}

function pathOf({ at: path = ["hooks"] }: JsonHooks): readonly string[] {
  return path;
}

function at(settings: unknown, form: JsonHooks): unknown {
  return pathOf(form).reduce(memberOf, settings);
}

/** Undefined takes it away, and what holds nothing else with it. */
function put(settings: Settings, [name, ...path]: readonly string[], value: unknown): Settings {
  if (name === undefined) return recordOf(value);
  const inner = path.length === 0 ? value : put(recordOf(memberOf(settings, name)), path, value);
  const isGone = inner === undefined || (value === undefined && membersOf(inner).length === 0);
  if (!isGone) return { ...settings, [name]: inner };
  const { [name]: _, ...rest } = settings;
  return rest;
}

function edited(before: Settings, after: Settings): EditedSettings {
  return { ok: true, settings: after, isChanged: JSON.stringify(before) !== JSON.stringify(after) };
}

/** Whether it was there before us, nobody can tell. */
function withoutBesides(settings: unknown, besides: JsonObject = {}): unknown {
  if (!isRecord(settings)) return settings;
  const own = Object.entries(settings).filter(([name, value]) => !isDeepStrictEqual(value, besides[name]));
  return Object.fromEntries(own);
}

function openJson(text: string | undefined, withComments: boolean): OpenedJson {
  if (text === undefined || text.trim() === "") return { ok: true, value: {} };
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  try {
    if (!withComments) return { ok: true, value: JSON.parse(plain) as unknown };
  } catch (error) {
    return { ok: false, message: `it is not valid JSON: ${(error as Error).message}. Repair it first` };
  }
  const errors: ParseError[] = [];
  const value: unknown = parse(plain, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return { ok: true, value };
  const line = plain.slice(0, first.offset).split("\n").length;
  return {
    ok: false,
    message: `it is not valid JSON: ${printParseErrorCode(first.error)} in line ${line}. Repair it first`,
  };
}

type OpenedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/** Undefined: not without losing comments. */
function newText(text: string | undefined, from: unknown, to: Settings): string | undefined {
  return text === undefined || text.trim() === ""
    ? `${JSON.stringify(to, null, 2)}\n`
    : patchText(text, from, to);
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

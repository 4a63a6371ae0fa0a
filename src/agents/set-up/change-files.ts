/** Puts our parts into files or takes them out: all of them or none, and remembered so that it can be undone. */
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isInside } from "../../core/input/inside-folder.ts";
import { isRecord } from "../../core/input/json.ts";
import type { FileChange, SettingsChange, SetupRequest } from "../agent-setup.ts";
import { firstMissing, removeEmpty } from "../made-folders.ts";
import { type EditedText, type FilePart, type FoundLine, joinParts } from "./file-part.ts";
import type { HookCommand } from "./hook-lines.ts";
import { openTextFile, replaceText, type TextFile, textOf } from "./text-file.ts";
import { readTables } from "./toml-tables.ts";
import { describeChange, removeMade, textBefore, textWithoutPut } from "./written-file.ts";

export type ChangedFiles =
  | {
      readonly ok: true;
      readonly files: readonly FileChange[];
      /** Those of ours that stand in the files then. */
      readonly lines: readonly FoundLine[];
    }
  | { readonly ok: false; readonly message: string };

export function putParts(request: SetupRequest, parts: readonly FilePart[], hook: HookCommand): ChangedFiles {
  return changeFiles(request, parts, (part, text) => part.put(text, hook));
}

export function takeParts(request: SetupRequest, parts: readonly FilePart[]): ChangedFiles {
  return changeFiles(request, parts, takeOut);
}

function takeOut(part: FilePart, text: string | undefined): EditedText {
  return text === undefined ? { ok: true, text, isEmpty: true } : part.take(text);
}

interface Planned {
  readonly part: FilePart;
  readonly opened: TextFile;
  /** Undefined: the file goes. */
  readonly after: string | undefined;
  /** It is as it was before anything of ours was in it. */
  readonly isOut: boolean;
  /** What the file was before anything of ours was in it. */
  readonly before: string | undefined;
  readonly madeFolder: string | undefined;
}

function changeFiles(
  request: SetupRequest,
  parts: readonly FilePart[],
  edit: (part: FilePart, text: string | undefined) => EditedText,
): ChangedFiles {
  const planned: Planned[] = [];
  for (const part of joinParts(parts)) {
    const opened = openTextFile(part.file, boundOf(part.file, request));
    if (typeof opened === "string") return { ok: false, message: opened };
    const edited = edit(part, opened.text);
    if (!edited.ok) return { ok: false, message: `${part.file} was not changed: ${edited.message}.` };
    planned.push(plan(request, { part, opened, edited, isOut: edit === takeOut }));
  }
  const files = planned.map(describe);
  const lines = planned.flatMap(({ part, after }) => (after === undefined ? [] : part.find(after)));
  if (request.dryRun === true) return { ok: true, files, lines };
  const problem = writeAll(planned.filter(isChanged), request);
  return problem === undefined ? { ok: true, files, lines } : { ok: false, message: problem };
}

/** What a repository holds must not lead elsewhere; a file of the user's own is where the user wants it. */
function boundOf(file: string, { scope, projectDir }: SetupRequest): string | undefined {
  return scope !== "user" && isInside(file, projectDir) ? projectDir : undefined;
}

interface Edit {
  readonly part: FilePart;
  readonly opened: TextFile;
  readonly edited: Extract<EditedText, { ok: true }>;
  readonly isOut: boolean;
}

/** What the file was before the first installation is known while nobody else has changed it since. */
function plan({ memory }: SetupRequest, { part, opened, edited, isOut }: Edit): Planned {
  const { target, text } = opened;
  const earlier = memory?.recall(target);
  const without = takeOut(part, text);
  const rest = without.ok ? without : { text, isEmpty: false };
  const hadOurs = rest.text !== text;
  const known = earlier === undefined ? false : textBefore(text, earlier);
  // A file that we made, and that holds nothing of anybody's, goes.
  const guessed =
    earlier?.wasMissing === true && rest.isEmpty ? undefined : nearest(part, opened, rest, earlier);
  const before = known !== false ? known : hadOurs ? guessed : text;
  const madeFolder = firstMissing(dirname(target)) ?? earlier?.madeFolder;
  if (!isOut) return { part, opened, after: edited.text, isOut, before, madeFolder };
  // Something else of ours may be in it, of another agent or scope: then it is not as it was before yet.
  const isAsBefore = saysTheSame(part, before, rest);
  const after = !hadOurs ? text : isAsBefore ? before : rest.text;
  return { part, opened, after, isOut: isAsBefore, before, madeFolder };
}

interface Rest {
  readonly text: string | undefined;
  readonly isEmpty: boolean;
}

/** Others have changed the file since: what they left is kept to the byte, if it then says the same. */
function nearest(
  part: FilePart,
  { text = "" }: TextFile,
  rest: Rest,
  earlier: SettingsChange | undefined,
): string | undefined {
  const exact = earlier === undefined ? undefined : textWithoutPut(text, earlier);
  return exact !== undefined && saysTheSame(part, exact, rest) ? exact : rest.text;
}

function saysTheSame(part: FilePart, text: string | undefined, rest: Rest): boolean {
  if (text === rest.text || (rest.isEmpty && (text ?? "").trim() === "")) return true;
  if (text === undefined || rest.text === undefined) return false;
  const [found, wanted] = [text, rest.text].map((one) => withoutEmpty(meaningOf(part, one)));
  return found !== undefined && isDeepStrictEqual(found, wanted);
}

function meaningOf(part: FilePart, text: string): unknown {
  if (part.meaning !== undefined) return part.meaning(text);
  return part.file.endsWith(".toml") ? readTables(text) : text;
}

/** A list that is empty without ours may have been there before. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty).filter(isSomething);
  if (!isRecord(value) || value instanceof Date) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => isSomething(member)));
}

function isSomething(value: unknown): boolean {
  return (
    typeof value !== "object" || value === null || value instanceof Date || Object.keys(value).length > 0
  );
}

function isChanged({ opened, after }: Planned): boolean {
  return opened.text !== after;
}

/** The first that fails takes back those before it. Text: why. */
function writeAll(planned: readonly Planned[], { memory }: SetupRequest): string | undefined {
  const done: Planned[] = [];
  for (const one of planned) {
    const problem = write(one);
    if (problem !== undefined) return [problem, ...done.reverse().flatMap(takeBack)].join(" ");
    done.push(one);
  }
  for (const { opened, after, isOut, before, madeFolder } of planned) {
    const isGone = isOut || after === undefined;
    memory?.remember(opened.target, isGone ? undefined : describeChange(before, after, madeFolder));
    // A file that came later may have been in the folder when its own file went.
    if (after === undefined && madeFolder !== undefined) removeEmpty(dirname(opened.target), madeFolder);
  }
  return undefined;
}

function write({ part, opened, after, madeFolder }: Planned): string | undefined {
  return after === undefined ? removeMade(opened, madeFolder) : replaceText(opened, after, part.isPrivate);
}

function takeBack({ opened, madeFolder }: Planned): string[] {
  const now = { ...opened, text: textOf(opened.target) };
  const problem = opened.text === undefined ? removeMade(now, madeFolder) : replaceText(now, opened.text);
  return problem === undefined ? [] : [`${opened.file} could not be put back as it was: ${problem}`];
}

function describe({ opened: { file, text: old }, after }: Planned): FileChange {
  const change =
    old === after ? "none" : old === undefined ? "made" : after === undefined ? "removed" : "changed";
  return { file, change, ...linesBetween(old ?? "", after ?? "") };
}

/** What comes and what goes, in whole lines. */
function linesBetween(old: string, now: string): Pick<FileChange, "added" | "removed"> {
  if (old === now) return { added: [], removed: [] };
  const [was, is] = [old, now].map((text) =>
    text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/),
  ) as [string[], string[]];
  let start = 0;
  while (start < was.length && start < is.length && was[start] === is[start]) start++;
  let end = 0;
  while (end < was.length - start && end < is.length - start && was.at(-1 - end) === is.at(-1 - end)) end++;
  return { added: is.slice(start, is.length - end), removed: was.slice(start, was.length - end) };
}

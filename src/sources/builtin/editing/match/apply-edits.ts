/** Applies several edits to the text of one file, all or none. What is not clear becomes a message. */
import type { Failed } from "../../../../core/call/tool-answer.ts";
import { type EditWords, editWords } from "./edit-words.ts";
import { ambiguous, changesNothing, growsTooLarge, missing, tooLarge, tooMany, tooMuch } from "./explain.ts";
import { areTooMany, type Found, find, nearestSpan, type Rung, type Span } from "./find.ts";
import { breaksByReturns, singleBreaks, withoutMark } from "./line-breaks.ts";
import { type Shift, shiftedLine } from "./line-shifts.ts";
import { type Replacing, splice } from "./splice.ts";
import { createTextView, type TextView } from "./text-view.ts";
import { createWanted, type Wanted } from "./wanted.ts";

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean;
  /** How many places are meant; another number is an error. */
  readonly places?: number;
  /** Where the caller expects it, from 1, in the file before all edits: tells equal places apart. */
  readonly startLine?: number;
  /** Only whole lines are meant. */
  readonly wholeLines?: boolean;
  /** What its parts are called. By default as fs.edit calls them. */
  readonly words?: EditWords;
}

export interface AppliedEdit {
  readonly rung: Rung;
  /** The first line of each place, from 1, in the text that the edit met. */
  readonly lines: readonly number[];
  /** It changed a part of a line, not whole lines. */
  readonly insideLine: boolean;
}

export type Edited =
  | { readonly ok: true; readonly text: string; readonly applied: readonly AppliedEdit[] }
  | Failed;

/** One text after an edit; and the text times the edits, because each of them searches all of it. */
const mostCharacters = 32 * 1024 * 1024;
const mostWork = 200 * 1024 * 1024;

export function applyEdits(original: string, edits: readonly Edit[]): Edited {
  if (edits.length * original.length > mostWork) return tooMuch(edits.length);
  // Decided once: what an edit takes away must not change what a line is for the next one.
  const byReturns = breaksByReturns(original);
  let text = original;
  const shifts: Shift[] = [];
  const applied: AppliedEdit[] = [];
  for (const [index, edit] of edits.entries()) {
    const { one } = edit.words ?? editWords;
    const which = edits.length === 1 ? "" : `${one} ${index + 1} of ${edits.length}: `;
    const result = applyOne(createTextView(text, byReturns), edit, shifts);
    if (!result.ok) return { ...result, message: which + result.message };
    text = result.text;
    // The last place first: a change does not move what stands above it.
    for (const shift of result.shifts.toReversed()) shifts.push(shift);
    applied.push(result.applied);
  }
  if (text === original) return changesNothing("All edits together leave the file as it is.");
  return { ok: true, text, applied };
}

type EditedOnce =
  | {
      readonly ok: true;
      readonly text: string;
      readonly applied: AppliedEdit;
      readonly shifts: readonly Shift[];
    }
  | Failed;

function applyOne(view: TextView, edit: Edit, shifts: readonly Shift[]): EditedOnce {
  const { original, byReturns } = view;
  const { words = editWords, wholeLines = false } = edit;
  const bad = explainBadEdit(view, edit, words);
  if (bad !== undefined) return bad;
  if (edit.oldText === "") {
    const applied = { rung: "exact", lines: [1], insideLine: false } as const;
    return { ok: true, text: original + edit.newText, applied, shifts: [] };
  }
  const wanted = createWanted(edit.oldText, wholeLines, byReturns);
  const replacement = createWanted(edit.newText, wholeLines, byReturns).lines;
  const many = edit.replaceAll === true || (edit.places ?? 1) > 1;
  const found = find(view, wanted, many ? { apart: true } : { replacement });
  if (found === undefined) return missing(view, wanted, words);
  if (areTooMany(found, wanted)) return tooMany(found.spans.length, words);
  const spans = choose(view, found, edit, shifts);
  if (spans === undefined) return ambiguous(view, found, words, edit.places);
  if (original.length + spans.length * edit.newText.length > mostCharacters) return growsTooLarge();
  if (found.rung !== "exact" && spans.some((span) => isMuchLarger(span, wanted)))
    return tooLarge(view, spans[0]!, words);
  const breaks = byReturns ? "\r" : edit.newText.includes("\r\n") ? "\r\n" : "\n";
  return put(view, spans, { rung: found.rung, wanted, replacement, defaultEnding: breaks });
}

function put(view: TextView, spans: readonly Span[], replacing: Replacing): EditedOnce {
  const lineOf = (span: Span) => view.lineAt(span.start);
  const shifts: Shift[] = [];
  let text = "";
  let done = 0;
  let reached = replacing.rung;
  for (const span of spans) {
    const made = splice(view, span, replacing);
    text += view.original.slice(done, view.toOriginal(span.start)) + made.text;
    done = view.toOriginal(span.end);
    reached = made.rung;
    const removed = breaksIn(view.text.slice(span.start, span.end));
    const added = breaksIn(singleBreaks(made.text, view.byReturns));
    if (removed !== added) shifts.push({ line: lineOf(span), removed, added });
  }
  text += view.original.slice(done);
  if (text === view.original)
    return changesNothing(
      `The text at line ${lineOf(spans[0]!) + 1} is already what the edit would make of it.`,
    );
  const lines = spans.map((span) => lineOf(span) + 1);
  const insideLine = spans.some((span) => cutsLine(view, span));
  return { ok: true, text, applied: { rung: reached, lines, insideLine }, shifts };
}

/** More than white space of its first or last line stays. */
function cutsLine(view: TextView, { start, end }: Span): boolean {
  const before = view.text.slice(view.lineStart(view.lineAt(start)), start);
  const last = view.lineAt(end);
  const after = view.text[end - 1] === "\n" ? "" : view.text.slice(end, view.lineEnd(last));
  return (before + after).trim() !== "";
}

function explainBadEdit(
  { original, byReturns }: TextView,
  { oldText, newText }: Edit,
  { old, fresh }: EditWords,
): Failed | undefined {
  for (const [name, value] of [
    [old, oldText],
    [fresh, newText],
  ] as const) {
    if (value.isWellFormed()) continue;
    return { ok: false, code: "invalid_text", message: `${name} holds half a surrogate pair. Remove it.` };
  }
  if (oldText === "" && withoutMark(original) !== "") {
    const message = `${old} is empty, which is only for a file that is empty or new. Name the text that is there now.`;
    return { ok: false, code: "empty_search", message };
  }
  const plain = (text: string) => singleBreaks(withoutMark(text), byReturns);
  if (plain(oldText) === plain(newText)) return changesNothing(`${old} and ${fresh} are the same.`);
  return undefined;
}

/** How far from the expected line a place may be. */
const mostDistance = 40;

/** The places that are meant, or undefined when that is not clear. */
function choose(
  view: TextView,
  { spans }: Found,
  edit: Edit,
  shifts: readonly Shift[],
): readonly Span[] | undefined {
  if (edit.replaceAll === true || (edit.places ?? 1) > 1) {
    const apart = spans.filter(apartFromLast());
    const count = edit.places ?? apart.length;
    return apart.length === count ? apart : undefined;
  }
  if (spans.length === 1) return spans;
  if (edit.startLine === undefined) return undefined;
  const nearest = nearestSpan(view, spans, shiftedLine(edit.startLine - 1, shifts), mostDistance);
  return nearest && [nearest];
}

/** Keeps those that begin after the last one kept has ended. */
function apartFromLast(): (span: Span) => boolean {
  let end = -1;
  return (span) => {
    if (span.start < end) return false;
    end = span.end;
    return true;
  };
}

/** A small text must not take a large one with it. */
function isMuchLarger(span: Span, wanted: Wanted): boolean {
  return span.end - span.start > wanted.text.length * 2 + 80;
}

function breaksIn(text: string): number {
  return text.split("\n").length - 1;
}

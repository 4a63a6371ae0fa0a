/** Applies several edits to the text of one file, one after the other, all or none; what is not clear becomes a message instead. */
import { ambiguous, changesNothing, growsTooLarge, missing, tooLarge, tooMany, tooMuch } from "./explain.ts";
import { areTooMany, type Found, find, type Rung, type Span } from "./find.ts";
import { splice } from "./splice.ts";
import { createTextView, type TextView } from "./text-view.ts";
import { createWanted, type Line, singleBreaks, type Wanted } from "./wanted.ts";

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean;
  /** How many places are meant; another number is an error. */
  readonly places?: number;
  /** Where the caller expects it, from 1: tells equal places apart. */
  readonly startLine?: number;
  /** Only whole lines are meant. */
  readonly wholeLines?: boolean;
}

export interface AppliedEdit {
  readonly rung: Rung;
  /** The first line of each place, from 1, in the text that the edit met. */
  readonly lines: readonly number[];
}

export type Edited =
  | { readonly ok: true; readonly text: string; readonly applied: readonly AppliedEdit[] }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** One text after an edit; and the text times the edits, because each of them searches all of it. */
const mostCharacters = 32 * 1024 * 1024;
const mostWork = 200 * 1024 * 1024;

export function applyEdits(original: string, edits: readonly Edit[]): Edited {
  if (edits.length * original.length > mostWork) return tooMuch(edits.length);
  let text = original;
  let moved = 0;
  const applied: AppliedEdit[] = [];
  for (const [index, edit] of edits.entries()) {
    const which = edits.length === 1 ? "" : `Edit ${index + 1} of ${edits.length}: `;
    const result = applyOne(text, edit, moved);
    if (!result.ok) return { ...result, message: which + result.message };
    moved += linesIn(edit.newText) - linesIn(edit.oldText);
    text = result.text;
    applied.push(...result.applied);
  }
  if (text === original) return changesNothing("All edits together leave the file as it is.");
  return { ok: true, text, applied };
}

function applyOne(original: string, edit: Edit, moved: number): Edited {
  const bad = explainBadEdit(original, edit);
  if (bad !== undefined) return bad;
  if (edit.oldText === "")
    return { ok: true, text: original + edit.newText, applied: [{ rung: "exact", lines: [1] }] };
  const view = createTextView(original);
  const wholeLines = edit.wholeLines === true;
  const wanted = createWanted(edit.oldText, wholeLines);
  const replacement = createWanted(edit.newText, wholeLines).lines;
  const many = edit.replaceAll === true || (edit.places ?? 1) > 1;
  const found = find(view, wanted, many ? { apart: true } : { replacement });
  if (found === undefined) return missing(view, wanted);
  if (areTooMany(found, wanted)) return tooMany(found.spans.length);
  const spans = choose(view, found, edit, moved);
  if (spans === undefined) return ambiguous(view, found, edit);
  if (original.length + spans.length * edit.newText.length > mostCharacters) return growsTooLarge();
  if (found.rung !== "exact" && spans.some((span) => isMuchLarger(span, wanted)))
    return tooLarge(view, spans[0]!);
  return put(view, found.rung, spans, wanted, replacement, edit);
}

function put(
  view: TextView,
  rung: Rung,
  spans: readonly Span[],
  wanted: Wanted,
  replacement: readonly Line[],
  edit: Edit,
): Edited {
  const breaks = edit.newText.includes("\r\n") ? "\r\n" : "\n";
  let text = "";
  let done = 0;
  let reached = rung;
  for (const span of spans) {
    const made = splice(view, span, rung, wanted, replacement, breaks);
    text += view.original.slice(done, view.toOriginal(span.start)) + made.text;
    done = view.toOriginal(span.end);
    reached = made.rung;
  }
  text += view.original.slice(done);
  if (text === view.original) {
    const where = view.lineAt(spans[0]!.start) + 1;
    return changesNothing(`The text at line ${where} is already what the edit would make of it.`);
  }
  const lines = spans.map((span) => view.lineAt(span.start) + 1);
  return { ok: true, text, applied: [{ rung: reached, lines }] };
}

function explainBadEdit(original: string, { oldText, newText }: Edit): Edited | undefined {
  for (const [name, value] of Object.entries({ old_string: oldText, new_string: newText })) {
    if (value.isWellFormed()) continue;
    return { ok: false, code: "invalid_text", message: `${name} holds half a surrogate pair. Remove it.` };
  }
  if (oldText === "" && original.replace(/^\ufeff/, "") !== "") {
    const message =
      "old_string is empty, which is only for a file that is empty or new. Name the text that is there now.";
    return { ok: false, code: "empty_search", message };
  }
  if (singleBreaks(oldText) === singleBreaks(newText))
    return changesNothing("old_string and new_string are the same.");
  return undefined;
}

/** How far from the expected line a place may be. */
const mostDistance = 40;

/** The places that are meant, or undefined when that is not clear. */
function choose(view: TextView, { spans }: Found, edit: Edit, moved: number): readonly Span[] | undefined {
  if (edit.replaceAll === true || (edit.places ?? 1) > 1) {
    const apart = spans.filter(apartFromLast());
    const count = edit.places ?? apart.length;
    return apart.length === count ? apart : undefined;
  }
  if (spans.length === 1) return spans;
  if (edit.startLine === undefined) return undefined;
  const distances = [moved, 0].map((offset) => {
    const expected = edit.startLine! - 1 + offset;
    return spans.map((span) => Math.abs(view.lineAt(span.start) - expected));
  });
  for (const distance of distances) {
    const nearest = Math.min(...distance);
    const at = distance.indexOf(nearest);
    if (nearest <= mostDistance && distance.lastIndexOf(nearest) === at) return [spans[at]!];
  }
  return undefined;
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

function linesIn(text: string): number {
  return text.split("\n").length;
}

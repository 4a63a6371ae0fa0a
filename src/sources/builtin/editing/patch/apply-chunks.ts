/** Applies the chunks of a patch to the text of one file, from top to bottom. */
import type { Failed } from "../../../../core/call/tool-answer.ts";
import { patchWords } from "../match/edit-words.ts";
import { ambiguous, missing, tooMuch } from "../match/explain.ts";
import { type Found, find, lineSpan, nearestSpan, type Rung, type Span } from "../match/find.ts";
import { splice } from "../match/splice.ts";
import { createTextView, type TextView } from "../match/text-view.ts";
import type { Line, Wanted } from "../match/wanted.ts";
import type { Chunk } from "./operations.ts";

export type Chunked = { readonly ok: true; readonly text: string; readonly rungs: readonly Rung[] } | Failed;

/** Changes times lines: each change looks through all of them. */
const mostWork = 50_000_000;

export function applyChunks(original: string, chunks: readonly Chunk[]): Chunked {
  const view = createTextView(original);
  if (chunks.length * view.lineCount > mostWork) return tooMuch(chunks.length);
  let text = "";
  let done = 0;
  let fromLine = 0;
  let drift = 0;
  const rungs: Rung[] = [];
  for (const [index, chunk] of chunks.entries()) {
    const place = locate(view, chunk, fromLine, drift);
    if (!place.ok) {
      const which = chunks.length === 1 ? "" : `Change ${index + 1} of ${chunks.length}: `;
      return { ...place, message: which + place.message };
    }
    text += view.original.slice(done, view.toOriginal(place.start)) + place.text;
    done = view.toOriginal(place.end);
    fromLine = place.nextLine;
    if (chunk.oldStart !== undefined) drift = place.line - (chunk.oldStart - 1);
    rungs.push(place.rung);
  }
  return { ok: true, text: text + view.original.slice(done), rungs };
}

type Place =
  | (Span & {
      readonly ok: true;
      readonly text: string;
      readonly line: number;
      readonly nextLine: number;
      readonly rung: Rung;
    })
  | Failed;

function locate(view: TextView, chunk: Chunk, fromLine: number, drift: number): Place {
  const from = seekAnchors(view, chunk.anchors, fromLine);
  if (typeof from === "string") return { ok: false, code: "no_match", message: from };
  return locateFrom(view, chunk, from, drift);
}

function locateFrom(view: TextView, chunk: Chunk, from: number, drift: number): Place {
  const wanted = toWanted(chunk, "-", view);
  if (wanted.lines.length === 0) return insert(view, chunk, toWanted(chunk, "+", view).lines, from);
  const expected = chunk.oldStart === undefined ? undefined : chunk.oldStart - 1 + drift;
  const said = chunk.anchors.length > 0 ? undefined : atSaidLine(view, wanted, expected, from);
  const found = said ?? find(view, wanted, { fromLine: from });
  if (found === undefined) {
    const atEnd = withoutBlankEnd(view, chunk, from);
    return atEnd === undefined
      ? explainMissing(view, wanted, from)
      : locateFrom(view, atEnd.chunk, atEnd.from, drift);
  }
  const span = choose(view, found.spans, chunk, expected);
  if (span === undefined) return ambiguous(view, found, patchWords);
  const replacement = toWanted(chunk, "+", view).lines;
  const defaultEnding = view.byReturns ? "\r" : "\n";
  const made = splice(view, span, { rung: found.rung, wanted, replacement, defaultEnding });
  const line = span.firstLine!;
  const text = span.end === view.text.length ? withEnd(made.text, chunk, view) : made.text;
  return { ok: true, ...span, text, line, nextLine: line + wanted.lines.length, rung: made.rung };
}

/** Where the patch says a line number and exactly its lines stand there, nothing else is meant. */
function atSaidLine(
  view: TextView,
  wanted: Wanted,
  first: number | undefined,
  from: number,
): Found | undefined {
  if (first === undefined || first < from) return undefined;
  const stands = wanted.lines.every(
    ({ text }, index) => first + index < view.lineCount && view.line(first + index) === text,
  );
  return stands ? { rung: "exact", spans: [lineSpan(view, wanted, first)] } : undefined;
}

/**
 * The empty line that seems to stand below the last line break is no line of the file. A chunk that names it
 * as its last context means the end of the file: what is above it must stand there.
 */
function withoutBlankEnd(
  view: TextView,
  chunk: Chunk,
  from: number,
): { readonly chunk: Chunk; readonly from: number } | undefined {
  const last = chunk.lines.at(-1);
  if (last?.sign !== " " || last.text.trim() !== "") return undefined;
  const shorter = { ...chunk, lines: chunk.lines.slice(0, -1) };
  const wanted = toWanted(shorter, "-", view);
  const first = view.lineCount - wanted.lines.length;
  if (wanted.lines.length === 0 || first < from) return undefined;
  const found = find(view, wanted, { fromLine: first });
  return found === undefined ? withoutBlankEnd(view, shorter, from) : { chunk: shorter, from: first };
}

function toWanted(chunk: Chunk, sign: "+" | "-", { byReturns }: TextView): Wanted {
  const texts = chunk.lines
    .filter((line) => line.sign === " " || line.sign === sign)
    // In a diff by line feeds, all lines of a file without one are a single line.
    .flatMap(({ text }) => (byReturns ? text.replace(/\r$/, "").split("\r") : [text]));
  return {
    text: texts.map((text) => `${text}\n`).join(""),
    lines: texts.map((text) => ({ text, broken: true })),
    wholeLines: true,
  };
}

/** The line after the last anchor, or what is wrong. The first place that fits is meant. */
function seekAnchors(view: TextView, anchors: readonly string[], fromLine: number): number | string {
  let from = fromLine;
  for (const anchor of anchors) {
    const lines = [{ text: anchor, broken: true }];
    const [span] = find(view, { text: anchor, lines, wholeLines: true }, { fromLine: from })?.spans ?? [];
    const line = span?.firstLine ?? beginsWith(view, anchor.trim(), from);
    if (line === undefined)
      return `No line after line ${from} is ${JSON.stringify(anchor)}, which the patch names after @@. Name a line that stands above the change.`;
    from = line + 1;
  }
  return from;
}

/** `@@ class A` for `class A(B):`, if only one line begins so. */
function beginsWith(view: TextView, anchor: string, from: number): number | undefined {
  const fitting: number[] = [];
  for (let line = from; line < view.lineCount && fitting.length < 2; line += 1)
    if (view.line(line).trim().startsWith(anchor)) fitting.push(line);
  return fitting.length === 1 ? fitting[0] : undefined;
}

function choose(
  view: TextView,
  spans: readonly Span[],
  chunk: Chunk,
  expected: number | undefined,
): Span | undefined {
  if (chunk.atEnd) {
    const last = spans.find(({ end }) => end === view.text.length);
    if (last !== undefined) return last;
  }
  if (spans.length === 1 || chunk.anchors.length > 0) return spans[0];
  return expected === undefined ? undefined : nearestSpan(view, spans, expected);
}

/** New lines without old ones: after the anchor, where the patch says, or at the end. */
function insert(view: TextView, chunk: Chunk, lines: readonly Line[], from: number): Place {
  const said = chunk.oldStart === undefined ? undefined : chunk.oldStart - 1;
  const line = Math.min(chunk.anchors.length > 0 ? from : (said ?? view.lineCount), view.lineCount);
  if (line < from) {
    const message = "The changes of a file must come in the order of its lines.";
    return { ok: false, code: "no_match", message };
  }
  const at = view.lineStart(line);
  const near = (line > 0 && view.ending(line - 1)) || (view.lineCount > 0 && view.ending(0)) || "\n";
  const before = line > 0 && view.ending(line - 1) === "" ? near : "";
  const added = lines.map(({ text }) => text + near).join("");
  // A file without a break at its end keeps it so, unless the patch says otherwise.
  const text = before === "" ? added : before + added.slice(0, -near.length);
  const ended = line === view.lineCount ? withEnd(text, chunk, view) : text;
  return { ok: true, start: at, end: at, text: ended, line, nextLine: line, rung: "exact" };
}

/** What a unified diff says about the break at the end of the file. The text ends as the file did. */
function withEnd(text: string, { newEndsBare, lines }: Chunk, view: TextView): string {
  // A diff by line feeds says of every file without one that its last line has no break.
  if (newEndsBare === undefined || view.byReturns || lines.every(({ sign }) => sign === "-")) return text;
  const isBare = view.lineCount > 0 && !view.text.endsWith("\n");
  if (newEndsBare) return isBare ? text : text.replace(/\r?\n$/, "");
  return isBare ? text + (view.ending(0) || "\n") : text;
}

function explainMissing(view: TextView, wanted: Wanted, from: number): Place {
  const above = from === 0 ? undefined : find(view, wanted)?.spans[0];
  if (above === undefined) return missing(view, wanted, patchWords);
  const message = `The old text stands at line ${above.firstLine! + 1}, above the place of the change before it or of its @@ line. Give the changes of a file in the order of its lines.`;
  return { ok: false, code: "no_match", message };
}

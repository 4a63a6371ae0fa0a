/** A unified diff that fits into an answer: only the lines around the change, and only the first of them. */
import { structuredPatch } from "diff";
import { breaksByReturns, singleBreaks } from "./match/line-breaks.ts";

export interface ShortDiff {
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

const contextLines = 3;
const mostChanges = 1_000;
const mostWork = 2_000_000;
const mostShown = 80;
const mostCharacters = 8_000;
const longLine = 300;

/** Undefined for a file that was not there, or is not there any more. */
export function shortDiff(path: string, before: string | undefined, after: string | undefined): ShortDiff {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const header = `--- ${before === undefined ? "/dev/null" : `a/${path}`}\n+++ ${after === undefined ? "/dev/null" : `b/${path}`}\n`;
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const first = Math.max(0, head - contextLines);
  const cut = (lines: string[]) =>
    lines.slice(first, lines.length - Math.max(0, tail - contextLines)).join("");
  const patch = structuredPatch("", "", shown(cut(old)), shown(cut(fresh)), "", "", {
    context: contextLines,
    // The work is lines times changes.
    maxEditLength: Math.max(50, Math.min(mostChanges, Math.floor(mostWork / (old.length - head - tail + 1)))),
  });
  // Very different texts: all old lines, then all new ones.
  if (patch === undefined) {
    const [gone, come] = [old, fresh].map((lines) => lines.slice(head, lines.length - tail)) as [
      string[],
      string[],
    ];
    const place = `@@ -${range(head + 1, gone.length)} +${range(head + 1, come.length)} @@`;
    const all = [
      ...gone.slice(0, mostShown).map((line) => `-${line.trimEnd()}`),
      ...come.slice(0, mostShown).map((line) => `+${line.trimEnd()}`),
    ];
    const text = header + capped([place, ...all], gone.length + come.length - all.length);
    return { text, added: come.length, removed: gone.length };
  }
  const lines = patch.hunks.flatMap((hunk) => [
    `@@ -${range(hunk.oldStart + first, hunk.oldLines)} +${range(hunk.newStart + first, hunk.newLines)} @@`,
    ...hunk.lines,
  ]);
  const count = (sign: string) =>
    patch.hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.startsWith(sign)).length, 0);
  if (lines.length === 0) lines.push("(only line breaks differ)");
  return { text: header + capped(lines), added: count("+"), removed: count("-") };
}

/** No lines stand after the line before. */
function range(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}

function linesOf(text: string | undefined): string[] {
  if (text === undefined) return [];
  const lines = breaksByReturns(text) ? singleBreaks(text) : text;
  return lines.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

function capped(lines: readonly string[], unseen = 0): string {
  const some: string[] = [];
  let room = mostCharacters;
  for (const line of lines.slice(0, mostShown)) {
    const short = (line.length > longLine ? `${line.slice(0, longLine)}…` : line).toWellFormed();
    room -= short.length + 1;
    if (room < 0) break;
    some.push(short);
  }
  const more = lines.length - some.length + unseen;
  return [...some, ...(more > 0 ? [`… ${more} more lines of diff`] : [])].join("\n");
}

/** Carriage returns and bytes that are no text would only confuse. */
function shown(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

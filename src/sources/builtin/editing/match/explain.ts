/** What a model reads when an edit cannot be made: the candidates, the nearest one, what differs there. */
import type { Failed } from "../../../../core/call/tool-answer.ts";
import { visible } from "../../../../core/text/visible.ts";
import { nearestPlaces } from "./alike.ts";
import type { EditWords } from "./edit-words.ts";
import type { Found, Span } from "./find.ts";
import { plainCharacters } from "./line-forms.ts";
import type { TextView } from "./text-view.ts";
import type { Wanted } from "./wanted.ts";

export function changesNothing(what: string): Failed {
  return { ok: false, code: "no_change", message: `${what} Nothing was changed; leave this edit out.` };
}

export function tooMany(count: number, { old }: EditWords): Failed {
  const message = `${old} stands in ${count} places or more, too many to tell apart or to replace at once. Give another text.`;
  return { ok: false, code: "ambiguous", message };
}

export function growsTooLarge(): Failed {
  return { ok: false, code: "too_large", message: "The result would be too large a file. Change less." };
}

export function tooMuch(count: number): Failed {
  const message = `${count} changes are too many at once for a file of this size. Send them in several calls.`;
  return { ok: false, code: "too_large", message };
}

export function tooLarge(view: TextView, span: Span, { old }: EditWords): Failed {
  const lines = `lines ${view.lineAt(span.start) + 1} to ${view.lineAt(Math.max(span.start, span.end - 1)) + 1}`;
  const message = `The nearest match (${lines}) is much larger than ${old}, so nothing was changed. Read these lines and repeat them exactly.`;
  return { ok: false, code: "match_too_large", message };
}

const mostNamed = 10;

export function ambiguous(
  view: TextView,
  { rung, spans }: Found,
  words: EditWords,
  expected?: number,
): Failed {
  const lines = [...new Set(spans.map(({ start }) => view.lineAt(start)))];
  const named = lines.slice(0, mostNamed).map((line) => {
    const before = line > 0 ? `, after ${quote(view.line(line - 1))}` : "";
    return `line ${line + 1}: ${quote(view.line(line))}${before}`;
  });
  const more = lines.length > mostNamed ? `\n- and ${lines.length - mostNamed} more lines` : "";
  const how = rung === "exact" ? "" : ` when ${forgiven[rung]} is ignored`;
  const places = `${words.old} stands in ${spans.length} places${how}`;
  const count = expected === undefined ? places : `${places}, but ${expected} were expected`;
  const advice = expected === undefined ? words.tellApart : words.recount;
  const message = `${count}:\n- ${named.join("\n- ")}${more}\n${advice}`;
  return { ok: false, code: "ambiguous", message };
}

const forgiven = {
  "trim-end": "white space at the end of lines",
  trim: "white space around lines",
  "re-indented": "indentation",
  unicode: "the kind of quotes, dashes and spaces",
  spaces: "the amount of white space",
  fuzzy: "small differences",
} as const;

export function missing(view: TextView, wanted: Wanted, words: EditWords): Failed {
  const code = "no_match";
  const { old } = words;
  if (view.lineCount === 0) return { ok: false, code, message: `${old} was not found: the file is empty.` };
  const inside = wanted.wholeLines ? insideLine(view, wanted) : undefined;
  if (inside !== undefined) {
    const message = `${old} was not found: it stands for whole lines, and in line ${inside + 1} (${quote(view.line(inside))}) it is only a part. Give the whole line.`;
    return { ok: false, code, message };
  }
  const [best] = nearestPlaces(view, wanted);
  if (best === undefined || best.score < 0.4) {
    const message = `${old} was not found, and nothing in the file is like it. Read the file again.`;
    return { ok: false, code, message };
  }
  const first = best.firstLine + 1;
  const last = first + wanted.lines.length - 1;
  const place = first === last ? `Line ${first} is` : `Lines ${first} to ${last} are`;
  const alike = `${place} nearest (${Math.floor(best.score * 100)} % alike)`;
  const message = `${old} was not found. ${alike}. ${whatDiffers(view, wanted, best.firstLine, old)} Repeat the lines of the file exactly.`;
  return { ok: false, code, message };
}

/** The line of which the only line that is wanted is a part. */
function insideLine(view: TextView, { lines }: Wanted): number | undefined {
  const text = lines.length === 1 ? lines[0]!.text.trim() : "";
  const at = text === "" ? -1 : view.text.indexOf(text);
  return at === -1 ? undefined : view.lineAt(at);
}

function whatDiffers(view: TextView, wanted: Wanted, firstLine: number, old: string): string {
  for (const [index, { text }] of wanted.lines.entries()) {
    const real = view.line(firstLine + index);
    if (real === text) continue;
    const at = firstLine + index + 1;
    const kind =
      plainCharacters(real).replace(/\s/g, "") === plainCharacters(text).replace(/\s/g, "")
        ? " (only white space or the kind of quotes and dashes differs)"
        : "";
    return `Line ${at} of the file is ${quote(real, true)}, ${old} has ${quote(text, true)}${kind}.`;
  }
  return "It begins or ends in the middle of a line.";
}

const mostShown = 160;

function quote(line: string, spaces = false): string {
  const shown = line.length > mostShown ? `${line.slice(0, mostShown)}…` : line;
  const text = visible((spaces ? shown : shown.trim()).replaceAll("\t", "\\t"));
  return text.includes("`") ? JSON.stringify(text) : `\`${text}\``;
}

/** Reads one hunk of a unified diff. Its header says where it ends; if that is wrong, its lines do. */
import { readFilePair } from "../../../../core/input/patch-headers.ts";
import type { Chunk, PatchLine } from "./operations.ts";

export interface Hunk extends Chunk {
  readonly next: number;
}

interface Counts {
  readonly oldStart: number;
  readonly old: number;
  readonly new: number;
}

/** A text says what is wrong. */
export function readHunk(lines: readonly string[], at: number): Hunk | string {
  const header = lines[at]!;
  const found = /^@@\s*-(\d+)(?:,(\d+))?\s+\+(\d+)(?:,(\d+))?\s*@@/.exec(header);
  const counts =
    found === null
      ? undefined
      : { oldStart: Number(found[1]), old: Number(found[2] ?? 1), new: Number(found[4] ?? 1) };
  const body = (counts && readCounted(lines, at + 1, counts)) ?? readUncounted(lines, at + 1);
  if (body.lines.every(({ sign }) => sign === " ")) return "the hunk changes nothing.";
  return {
    ...body,
    anchors: [],
    atEnd: false,
    // `-5,0` stands after line 5; every other start names the first line of the hunk.
    ...(counts !== undefined && { oldStart: counts.old === 0 ? counts.oldStart + 1 : counts.oldStart }),
  };
}

type Body = Pick<Hunk, "lines" | "next" | "oldEndsBare" | "newEndsBare">;

/** Undefined when the lines do not fit the counts. */
function readCounted(lines: readonly string[], start: number, counts: Counts): Body | undefined {
  let { old, new: fresh } = counts;
  const reader = new BodyReader();
  let at = start;
  while (at < lines.length && (old > 0 || fresh > 0 || lines[at]!.startsWith("\\"))) {
    const sign = reader.take(lines[at]!);
    if (sign === undefined) return undefined;
    if (sign === " " || sign === "-") old -= 1;
    if (sign === " " || sign === "+") fresh -= 1;
    at += 1;
  }
  if (old !== 0 || fresh !== 0 || goesOn(lines, at)) return undefined;
  return reader.body(at);
}

/** More lines than counted: the header is wrong. `-- ` is what a mail puts under a patch. */
function goesOn(lines: readonly string[], at: number): boolean {
  const line = lines[at];
  if (line === undefined || !/^[ +-]/.test(line) || /^-- ?$/.test(line)) return false;
  return readFilePair(line, lines[at + 1]) === undefined;
}

function readUncounted(lines: readonly string[], start: number): Body {
  const reader = new BodyReader();
  let at = start;
  for (; at < lines.length; at += 1) {
    const line = lines[at]!;
    if (readFilePair(line, lines[at + 1]) !== undefined || /^-- ?$/.test(line)) break;
    if (reader.take(line) === undefined) break;
  }
  return reader.body(at);
}

class BodyReader {
  readonly #lines: PatchLine[] = [];
  #blanks = 0;
  #oldEndsBare: boolean | undefined;
  #newEndsBare: boolean | undefined;

  /** Undefined for a line that belongs to no hunk. */
  take(line: string): PatchLine["sign"] | "\\" | undefined {
    const sign = line[0];
    if (sign === "\\") {
      const last = this.#lines.at(-1)?.sign;
      if (last !== "+") this.#oldEndsBare = true;
      if (last !== "-") this.#newEndsBare = true;
      return "\\";
    }
    // Editors take away the space of a blank line.
    if (sign === undefined) {
      this.#lines.push({ sign: " ", text: "" });
      this.#blanks += 1;
      return " ";
    }
    if (sign !== " " && sign !== "+" && sign !== "-") return undefined;
    this.#blanks = 0;
    this.#lines.push({ sign, text: line.slice(1) });
    return sign;
  }

  body(next: number): Body {
    const lines = this.#lines.slice(0, this.#lines.length - this.#blanks);
    const said = this.#oldEndsBare !== undefined || this.#newEndsBare !== undefined;
    if (!said) return { lines, next };
    return {
      lines,
      next,
      oldEndsBare: this.#oldEndsBare === true,
      newEndsBare: this.#newEndsBare === true,
    };
  }
}

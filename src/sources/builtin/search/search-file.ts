/** Searches one file that streams by: the matching lines with their neighbours, or only their number. */
import { isUtf8 } from "node:buffer";
import type { Failure } from "../../../core/call/tool-answer.ts";
import type { LineHit } from "../../../safe/regex/find-lines.ts";
import { type TextBlock, TextBlocks } from "../filesystem/text-blocks.ts";
import type { SearchPattern } from "./pattern/search-pattern.ts";
import type { FoundFile } from "./walked-files.ts";

export interface FileSearchOptions {
  /** Lines of context. */
  readonly before: number;
  readonly after: number;
  /** How many matching lines are looked for. */
  readonly most: number;
  /** Only counted, no lines kept. */
  readonly countOnly: boolean;
}

export interface FoundLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly isMatch: boolean;
}

export interface FileMatches {
  readonly searched: true;
  readonly count: number;
  readonly lines: readonly FoundLine[];
  /** The file, or a part of it, could not be decided in time. */
  readonly undecided: boolean;
}

/** It may not be read, or it is not text. */
export interface NotSearched extends Failure {
  readonly searched: false;
}

/** At least this much is looked at before a file counts as text. */
const sniffBytes = 1024 * 1024;
const maxShownCharacters = 400;

export async function searchFile(
  file: FoundFile,
  pattern: SearchPattern,
  options: FileSearchOptions,
): Promise<FileMatches | NotSearched> {
  const search = new FileSearch(pattern, options);
  const blocks = new TextBlocks((block) => search.take(block));
  let seen = 0;
  const scanned = await file.scan((piece) => {
    seen += piece.length;
    const go = blocks.piece(piece);
    if (search.binary) return false;
    return go !== false || seen < sniffBytes;
  });
  if (!scanned.ok) return { searched: false, code: scanned.code, message: scanned.message };
  if (scanned.atEnd && !search.binary) blocks.end();
  if (!search.binary) return search.found();
  return { searched: false, code: "binary_file", message: "It is not text, so it is not searched." };
}

class FileSearch {
  /** A NUL byte was seen. */
  binary = false;
  readonly #pattern: SearchPattern;
  readonly #options: FileSearchOptions;
  readonly #lines: FoundLine[] = [];
  #count = 0;
  #undecided = false;
  /** Lines that went by. */
  #passed = 0;
  /** The last lines before this block, as context. */
  #tail: readonly string[] = [];
  #afterLeft = 0;
  #lastShown = 0;

  constructor(pattern: SearchPattern, options: FileSearchOptions) {
    this.#pattern = pattern;
    this.#options = options;
  }

  found(): FileMatches {
    return { searched: true, count: this.#count, lines: this.#lines, undecided: this.#undecided };
  }

  /** False when all that was asked for is found; more is then only looked at for NUL bytes. */
  take({ bytes, cut }: TextBlock): boolean | undefined {
    if (bytes.includes(0)) {
      this.binary = true;
      return false;
    }
    const enough = this.#count >= this.#options.most;
    if (enough && this.#afterLeft === 0) return false;
    // A line this long is no line that anybody wrote.
    if (cut) {
      this.#passed += 1;
      this.#tail = [];
      return undefined;
    }
    const damaged = !isUtf8(bytes);
    const whole = bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes;
    const text = unixEndings(whole.toString("utf8"));
    const hits = enough ? [] : this.#find(text, damaged);
    this.#count += hits.length;
    const { countOnly, before } = this.#options;
    if (countOnly) return undefined;
    if (hits.length > 0 || this.#afterLeft > 0 || before > 0) {
      // Bytes that are no UTF-8 are shown as fs.read shows them.
      this.#show(damaged ? unixEndings(whole.toString("latin1")).split("\n") : text.split("\n"), text, hits);
    }
    this.#passed += countFeeds(text) + 1;
    return undefined;
  }

  #find(text: string, damaged: boolean): readonly LineHit[] {
    const find = this.#pattern.finderFor(text, damaged);
    const hits = find(text, this.#options.most - this.#count);
    if (hits === undefined) this.#undecided = true;
    return hits ?? [];
  }

  #show(shown: readonly string[], text: string, hits: readonly LineHit[]): void {
    const { before, after } = this.#options;
    let index = 0;
    let at = 0;
    for (const hit of hits) {
      const skipped = countFeeds(text.slice(at, hit.start));
      this.#showAfter(shown, index, index + skipped);
      index += skipped;
      at = hit.start;
      this.#showBefore(shown, index, before);
      this.#add(index, aroundMatch(shown[index] ?? "", hit.match - hit.start), true);
      this.#afterLeft = after;
      index += 1;
      at = Math.min(hit.end + 1, text.length);
    }
    this.#showAfter(shown, index, shown.length);
    if (before > 0) this.#tail = [...this.#tail, ...shown].slice(-before);
  }

  #showAfter(shown: readonly string[], from: number, to: number): void {
    for (let index = from; index < to && this.#afterLeft > 0; index++) {
      this.#add(index, shown[index] ?? "", false);
      this.#afterLeft -= 1;
    }
  }

  #showBefore(shown: readonly string[], index: number, before: number): void {
    for (let back = before; back > 0; back--) {
      const at = index - back;
      const text = at >= 0 ? shown[at] : this.#tail[this.#tail.length + at];
      if (text !== undefined && this.#passed + at + 1 > this.#lastShown) this.#add(at, text, false);
    }
  }

  #add(index: number, text: string, isMatch: boolean): void {
    const line = this.#passed + index + 1;
    this.#lastShown = line;
    const short = text.length > maxShownCharacters ? `${text.slice(0, maxShownCharacters)}…` : text;
    this.#lines.push({ line, text: isMatch ? text : short, isMatch });
  }
}

function unixEndings(text: string): string {
  const plain = text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
  return plain.endsWith("\r") ? plain.slice(0, -1) : plain;
}

function countFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** The part of a long line in which the match is. */
function aroundMatch(text: string, column: number): string {
  if (text.length <= maxShownCharacters) return text;
  const from = Math.max(0, Math.min(column - 100, text.length - maxShownCharacters));
  const part = text.slice(from, from + maxShownCharacters);
  return `${from > 0 ? "…" : ""}${part}${from + part.length < text.length ? "…" : ""}`;
}

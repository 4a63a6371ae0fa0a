/** Gathers what a search found, within bounds, and writes it for a model and for programs. */
import type { ToolResult } from "../../../core/call/content.ts";
import { answered } from "../../../core/call/tool-answer.ts";
import type { FileMatches, FileSearchOptions, FoundLine } from "./search-file.ts";

export type GrepMode = "content" | "files" | "count";

export interface GrepBounds {
  readonly before: number;
  readonly after: number;
  readonly limit: number;
}

interface FileResult {
  readonly path: string;
  readonly count: number;
  readonly lines: readonly FoundLine[];
}

/** Below what the gate lets through, so that it never cuts in the middle. */
const maxBytes = 50_000;
const maxNamed = 5;

export class GrepResult {
  /** Everything was searched. */
  complete = true;
  readonly #mode: GrepMode;
  readonly #bounds: GrepBounds;
  readonly #files: FileResult[] = [];
  readonly #undecided: string[] = [];
  #bytes = 0;
  #left: number;

  constructor(mode: GrepMode, bounds: GrepBounds) {
    this.#mode = mode;
    this.#bounds = bounds;
    this.#left = bounds.limit;
  }

  /** What to look for in the next file. One more than there is room for, to know whether there is more. */
  nextFile(): FileSearchOptions {
    const { before, after } = this.#bounds;
    if (this.#mode === "content") return { before, after, most: this.#left + 1, countOnly: false };
    const most = this.#mode === "files" ? 1 : Number.POSITIVE_INFINITY;
    return { before: 0, after: 0, most, countOnly: true };
  }

  /** False when there is no room for more. */
  add(path: string, found: FileMatches): boolean {
    if (found.undecided) this.#undecided.push(path);
    if (found.count === 0) return true;
    if (this.#left === 0) return this.#full();
    if (this.#mode !== "content") {
      this.#files.push({ path, count: found.count, lines: [] });
      this.#left -= 1;
      this.#bytes += path.length + 10;
      return this.#bytes < maxBytes || this.#full();
    }
    const lines = this.#within(found.lines);
    const count = lines.filter(({ isMatch }) => isMatch).length;
    if (count > 0) this.#files.push({ path, count, lines });
    this.#left -= count;
    this.#bytes += path.length;
    return count === found.count || this.#full();
  }

  toToolResult(pattern: string): ToolResult {
    const matches = this.#files.reduce((sum, { count }) => sum + count, 0);
    const truncated = !this.complete;
    const text = [...this.#files.map((file) => this.#write(file)), ...this.#notes(pattern, matches)].join(
      "\n",
    );
    const structured = {
      mode: this.#mode,
      files: this.#files.map(({ path, count, lines }) => ({
        path,
        ...(this.#mode !== "files" && { count }),
        ...(this.#mode === "content" && { lines: lines.map(toData) }),
      })),
      truncated,
      ...(this.#undecided.length > 0 && { undecided: this.#undecided.slice(0, 100) }),
    };
    return answered(text, structured);
  }

  #full(): false {
    this.complete = false;
    return false;
  }

  /** As many matches as there is room for, each with its neighbours. */
  #within(lines: readonly FoundLine[]): readonly FoundLine[] {
    const kept: FoundLine[] = [];
    let left = this.#left;
    for (const line of lines) {
      this.#bytes += Buffer.byteLength(line.text) + 8;
      if (this.#bytes > maxBytes || (line.isMatch && left === 0))
        return withoutNextNeighbours(kept, line, this.#bounds);
      kept.push(line);
      if (line.isMatch) left -= 1;
    }
    return kept;
  }

  #write({ path, count, lines }: FileResult): string {
    if (this.#mode === "files") return path;
    if (this.#mode === "count") return `${path}: ${count}`;
    let before = 0;
    const written = lines.map(({ line, text, isMatch }) => {
      const gap =
        before !== 0 && line > before + 1 && this.#bounds.before + this.#bounds.after > 0 ? "--\n" : "";
      before = line;
      return `${gap}${line}${isMatch ? ":" : "-"} ${text}`;
    });
    return [path, ...written, ""].join("\n");
  }

  #notes(pattern: string, matches: number): string[] {
    const notes: string[] = [];
    const files = this.#files.length;
    if (files === 0 && this.complete) notes.push(`[Nothing matches ${JSON.stringify(pattern)}.]`);
    if (!this.complete) {
      const what =
        this.#mode === "content" ? `${matches} matching lines in ${files} files` : `${files} files`;
      notes.push(
        `[Only the first ${what} are shown. Narrow the pattern, the path or the glob, or raise limit.]`,
      );
    }
    if (this.#undecided.length > 0) {
      const named = this.#undecided.slice(0, maxNamed).join(", ");
      const more = this.#undecided.length > maxNamed ? ` and ${this.#undecided.length - maxNamed} more` : "";
      notes.push(`[The pattern took too long on parts of ${named}${more}; use a simpler one there.]`);
    }
    return notes;
  }
}

/** The lines before a match that is not shown are not shown either. */
function withoutNextNeighbours(
  kept: readonly FoundLine[],
  next: FoundLine,
  { before, after }: GrepBounds,
): readonly FoundLine[] {
  const last = kept.findLast(({ isMatch }) => isMatch);
  const until = last === undefined ? 0 : last.line + after;
  return kept.filter(({ line, isMatch }) => isMatch || line <= until || line < next.line - before);
}

function toData({ line, text, isMatch }: FoundLine) {
  return { line, text, match: isMatch };
}

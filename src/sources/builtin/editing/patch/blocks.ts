/** Reads SEARCH/REPLACE blocks. Strict: a marker taken for text would change the wrong lines. */
import { quote } from "./operations.ts";

export interface Block {
  readonly search: string;
  readonly replace: string;
  /** From 1, where the writer expects it. */
  readonly startLine?: number;
}

export interface Blocks {
  readonly blocks: readonly Block[];
  /** Set when the text ends inside a block. */
  readonly open?: "search" | "replace";
  /** What is wrong, with its line. */
  readonly problem?: string;
}

/** Of text that may still grow, only blocks whose last line is complete count. */
export function readBlocks(text: string, options: { readonly growing?: boolean } = {}): Blocks {
  const lines = text.split(/\r?\n/);
  if (options.growing === true) lines.pop();
  const reader = new BlockReader();
  for (const [index, line] of lines.entries()) {
    const problem = reader.take(line);
    if (problem !== undefined) return { blocks: reader.blocks, problem: `Line ${index + 1}: ${problem}` };
  }
  return { blocks: reader.blocks, ...(reader.part !== "between" && { open: reader.part }) };
}

/** Undefined when the text holds at least one whole block and nothing else. */
export function explainBadBlocks({ blocks, open, problem }: Blocks): string | undefined {
  if (problem !== undefined) return problem;
  if (open !== undefined) {
    const missing = open === "search" ? "=======" : ">>>>>>> REPLACE";
    return `Block ${blocks.length + 1} has no line "${missing}"; was the text cut off?`;
  }
  if (blocks.length > 0) return undefined;
  return 'There is no block. Each one is: a line "<<<<<<< SEARCH", the lines to find, a line "=======", the new lines, a line ">>>>>>> REPLACE".';
}

/** Says where the first block is expected, if it does not say so itself. Unreadable text stays as it is. */
export function expectedAt(text: string, line: number): string {
  const { blocks, problem } = readBlocks(text);
  if (problem !== undefined || blocks[0] === undefined || blocks[0].startLine !== undefined) return text;
  const lines = text.split("\n");
  const first = lines.findIndex((one) => start.test(one));
  return lines.toSpliced(first + 1, 0, `:start_line:${line}`).join("\n");
}

const start = /^(?:<{5,9}|-{5,9}) ?SEARCH>?\s*$/;
const middle = /^={7}\s*$/;
const end = /^(?:>{5,9}|\+{5,9}) ?REPLACE>?\s*$/;
const lineMark = /^:(?:start|end)_line:/;
const number = /^:(start|end)_line:\s*(\d*)$/;
const rule = /^-{7}\s*$/;
/** What git leaves in a file when two branches changed the same lines. */
const conflict = /^(?:<{7}|>{7}|\|{7})(?:\s|$)/;
const escaped =
  /^\\(?=\\*(?:<{5,9} ?SEARCH|-{5,9} ?SEARCH|={7}\s*$|>{5,9} ?REPLACE|\+{5,9} ?REPLACE|[<>|]{7}(?:\s|$)|-{7}\s*$|:start_line:|:end_line:))/;

class BlockReader {
  readonly blocks: Block[] = [];
  part: "between" | "search" | "replace" = "between";
  #search: string[] = [];
  #replace: string[] = [];
  #startLine: number | undefined;
  /** What may still come before the lines of the file: numbers, then the rule below them. */
  #head: "numbers" | "rule" | "over" = "numbers";

  /** A text says what is wrong with this line. */
  take(line: string): string | undefined {
    if (this.part === "between") return this.#takeBetween(line);
    return this.part === "search" ? this.#takeSearch(line) : this.#takeReplace(line);
  }

  #takeBetween(line: string): string | undefined {
    if (start.test(line)) {
      this.part = "search";
      this.#search = [];
      this.#replace = [];
      this.#startLine = undefined;
      this.#head = "numbers";
      return undefined;
    }
    // A code fence around the blocks, or a second end marker, does no harm.
    if (line.trim() === "" || /^```\w*\s*$/.test(line) || end.test(line)) return undefined;
    return `${quote(line)} stands outside of a block. A block begins with "<<<<<<< SEARCH".`;
  }

  #takeSearch(line: string): string | undefined {
    if (this.#takeHead(line)) return undefined;
    if (middle.test(line)) {
      this.part = "replace";
      return undefined;
    }
    if (end.test(line)) return `the block ends before its line "=======". ${mark(line)}`;
    return takeText(line, this.#search, 'stands right below "<<<<<<< SEARCH" and is digits');
  }

  /** True for a line that is about the block. Without a number above it, a rule is a line of the file. */
  #takeHead(line: string): boolean {
    if (this.#head === "over") return false;
    const [, which, digits] = number.exec(line.trimEnd()) ?? [];
    if (which !== undefined) {
      if (which === "start" && digits !== "") this.#startLine = Number(digits);
      this.#head = "rule";
      return true;
    }
    const isRule = this.#head === "rule" && rule.test(line);
    this.#head = "over";
    return isRule;
  }

  #takeReplace(line: string): string | undefined {
    if (end.test(line)) {
      this.blocks.push({
        search: whole(this.#search),
        replace: whole(this.#replace),
        ...(this.#startLine !== undefined && this.#startLine > 0 && { startLine: this.#startLine }),
      });
      this.part = "between";
      return undefined;
    }
    if (middle.test(line)) return `a second "=======" in one block. ${mark(line)}`;
    return takeText(line, this.#replace, "belongs to the SEARCH part");
  }
}

function whole(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** A line of the file. `numbers`: what is wrong with a line's number here. */
function takeText(line: string, lines: string[], numbers: string): string | undefined {
  if (start.test(line)) return `a block begins inside another one. ${mark(line)}`;
  if (conflict.test(line)) return `${quote(line)} looks like a mark of a merge conflict. ${mark(line)}`;
  if (lineMark.test(line)) return `a line's number ${numbers}. ${mark(line)}`;
  lines.push(line.replace(escaped, ""));
  return undefined;
}

function mark(line: string): string {
  return `If the file itself has this line, write a backslash before it: ${quote(`\\${line}`)}.`;
}

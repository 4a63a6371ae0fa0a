/** Changes a JSON text so that it holds another value, and leaves every byte that says the same as it is. */
import { isDeepStrictEqual } from "node:util";
import {
  applyEdits,
  createScanner,
  findNodeAtLocation,
  type JSONPath,
  type ModificationOptions,
  modify,
  type ParseError,
  parse,
  parseTree,
} from "jsonc-parser";
import { isRecord } from "../../core/input/json.ts";

/** `text` holds `from`; the answer holds `to`. Undefined: not without losing somebody's comments. */
export function patchText(text: string, from: unknown, to: unknown): string | undefined {
  // Agents take a byte order mark; the parser of positions does not.
  const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
  const plain = text.slice(mark.length);
  const patch = new Patch(plain);
  const isPlain = isJson(plain);
  if (patch.turnsInto(from, to) && (!isPlain || isJson(patch.text))) return mark + patch.text;
  return isPlain ? mark + patch.whole(to) : undefined;
}

/** Without comments and commas that only some agents take. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Where a comma is the next thing that counts. */
function findComma(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === "," ? at : undefined;
}

class Patch {
  text: string;
  readonly #indent: string;
  readonly #end: string;
  /** What is new is laid out only where the rest is. */
  readonly #isOneLine: boolean;

  constructor(text: string) {
    this.text = text;
    this.#indent = /^[{[]\r?\n([ \t]+)/.exec(text.trimStart())?.[1] ?? "  ";
    this.#end = text.includes("\r\n") ? "\r\n" : "\n";
    this.#isOneLine = !text.trim().includes("\n");
  }

  /** Somebody's settings are at stake: what the steps below made is believed only after a look. */
  turnsInto(from: unknown, to: unknown): boolean {
    try {
      this.#turn([], from, to);
      const errors: ParseError[] = [];
      const value: unknown = parse(this.text, errors, { allowTrailingComma: true });
      return errors.length === 0 && isDeepStrictEqual(value, JSON.parse(JSON.stringify(to)));
    } catch {
      // The parser of positions knows no such place.
      return false;
    }
  }

  /** The last resort: laid out anew. */
  whole(value: unknown): string {
    return this.#layOut(value, 0) + (/\s*$/.exec(this.text)?.[0] ?? "");
  }

  #turn(path: JSONPath, from: unknown, to: unknown): void {
    if (isDeepStrictEqual(from, to)) return;
    if (isRecord(from) && isRecord(to)) this.#turnObject(path, from, to);
    else if (Array.isArray(from) && Array.isArray(to)) this.#turnList(path, from, to);
    else this.#set(path, to);
  }

  #turnObject(
    path: JSONPath,
    from: Readonly<Record<string, unknown>>,
    to: Readonly<Record<string, unknown>>,
  ): void {
    for (const [name, value] of Object.entries(to))
      if (Object.hasOwn(from, name)) this.#turn([...path, name], from[name], value);
    for (const name of Object.keys(from)) if (!Object.hasOwn(to, name)) this.#remove([...path, name]);
    for (const [name, value] of Object.entries(to))
      if (!Object.hasOwn(from, name)) this.#set([...path, name], value);
  }

  /** Elements that stay, stay as they are written; others go, come at the end, or take a place. */
  #turnList(path: JSONPath, from: readonly unknown[], to: readonly unknown[]): void {
    if (to.length === 0) {
      this.#set(path, to);
      return;
    }
    if (from.length === to.length) {
      for (const [index, value] of to.entries()) this.#turn([...path, index], from[index], value);
      return;
    }
    const isKept = (value: unknown) => to.some((other) => isDeepStrictEqual(value, other));
    const kept = from.filter(isKept);
    if (!isDeepStrictEqual(kept, to.slice(0, kept.length))) {
      this.#set(path, to);
      return;
    }
    for (let index = from.length - 1; index >= 0; index--)
      if (!isKept(from[index])) this.#remove([...path, index]);
    for (const [index, value] of to.entries())
      if (index >= kept.length) this.#set([...path, index], value, { isArrayInsertion: true });
  }

  /** The parser's own layout would move what is on the same line, so it only finds the places. */
  #set(path: JSONPath, value: unknown, options: ModificationOptions = {}): void {
    const edits = modify(this.text, path, value, options).map(({ offset, length, content }) => ({
      offset,
      length,
      content: this.#isOneLine ? content : this.#laidOut(content, value, path.length, length),
    }));
    this.text = applyEdits(this.text, edits);
  }

  /** With one comma and its blanks. The parser's own way takes comments with it, and the end of a list. */
  #remove(path: JSONPath): void {
    const tree = parseTree(this.text, [], { allowTrailingComma: true });
    const value = tree && findNodeAtLocation(tree, path);
    const node = value?.parent?.type === "property" ? value.parent : value;
    if (node?.parent === undefined) throw new Error(`There is nothing at ${path.join(".")}.`);
    const siblings = node.parent.children ?? [];
    const before = siblings[siblings.indexOf(node) - 1];
    const end = node.offset + node.length;
    const behind = findComma(this.text, end);
    const comma =
      before && behind === undefined ? findComma(this.text, before.offset + before.length) : undefined;
    this.#cut(node.offset, behind === undefined ? end : behind + 1);
    if (comma !== undefined) this.text = this.text.slice(0, comma) + this.text.slice(comma + 1);
  }

  /** The blanks before it go, too, unless a comment ends there and something follows that would become a part of it. */
  #cut(from: number, to: number): void {
    const blank = /\s*$/.exec(this.text.slice(0, from))?.[0] ?? "";
    const rest = this.text.slice(to);
    const isAlone = /^[ \t]*(?:\r?\n|$)/.test(rest);
    this.text =
      isAlone || !blank.includes("\n")
        ? this.text.slice(0, from - blank.length) + rest
        : this.text.slice(0, from) + rest.replace(/^[ \t]+/, "");
  }

  #laidOut(content: string, value: unknown, depth: number, replaced: number): string {
    const text = content.replace(JSON.stringify(value), () => this.#layOut(value, depth));
    if (replaced > 0) return text;
    const line = this.#end + this.#indent.repeat(depth);
    if (text.startsWith(",")) return `,${line}${text.slice(1).trimStart()}`;
    // The first in something empty.
    return `${line}${text}${this.#end}${this.#indent.repeat(depth - 1)}`;
  }

  #layOut(value: unknown, depth: number): string {
    const lines = JSON.stringify(value, null, this.#indent).split("\n");
    return lines.join(this.#end + this.#indent.repeat(depth));
  }
}

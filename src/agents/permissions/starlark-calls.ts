/**
 * Reads the calls in a rule file of Codex: a language like Python, of which only calls with literal arguments
 * are understood. Everything else is said to be not understood; nothing is run.
 */

export type Literal = string | number | boolean | null | readonly Literal[];

export interface StarlarkCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, Literal>>;
  readonly line: number;
  readonly text: string;
}

export type StarlarkFile =
  | { readonly ok: true; readonly calls: readonly StarlarkCall[] }
  | { readonly ok: false; readonly message: string; readonly line: number };

export function readStarlarkCalls(text: string): StarlarkFile {
  const cursor = new Cursor(text);
  const calls: StarlarkCall[] = [];
  try {
    cursor.skip();
    while (!cursor.isAtEnd) {
      calls.push(readCall(cursor));
      cursor.skip(";");
    }
    return { ok: true, calls };
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    return { ok: false, message: error.message, line: cursor.line };
  }
}

class NotUnderstood extends Error {}

class Cursor {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.replace(/^\uFEFF/, "");
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  get line(): number {
    return this.#text.slice(0, this.#at).split("\n").length;
  }

  get at(): number {
    return this.#at;
  }

  textSince(start: number): string {
    return this.#text.slice(start, this.#at);
  }

  /** Blanks, comments, and the characters given. */
  skip(also = ""): void {
    for (;;) {
      const char = this.#text[this.#at] ?? "";
      if (char === "#") while (!this.isAtEnd && this.#text[this.#at] !== "\n") this.#at++;
      else if (char !== "" && (/\s/.test(char) || also.includes(char))) this.#at++;
      else return;
    }
  }

  take(pattern: RegExp): RegExpExecArray | undefined {
    const sticky = new RegExp(pattern.source, `${pattern.flags}y`);
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text) ?? undefined;
    if (found !== undefined) this.#at += found[0].length;
    return found;
  }

  has(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  next(): string {
    return this.#text[this.#at++] ?? "";
  }
}

function readCall(cursor: Cursor): StarlarkCall {
  const { line, at } = cursor;
  const name = cursor.take(/[A-Za-z_]\w*/)?.[0];
  cursor.take(/[ \t]*/);
  if (name === undefined || !cursor.has("("))
    throw new NotUnderstood("only calls with literal arguments are understood");
  const given: Record<string, Literal> = {};
  for (cursor.skip(); !cursor.has(")"); cursor.skip()) {
    const key = cursor.take(/([A-Za-z_]\w*)\s*=(?!=)/)?.[1];
    if (key === undefined) throw new NotUnderstood(`the arguments of ${name} must have names`);
    if (Object.hasOwn(given, key)) throw new NotUnderstood(`${key} stands twice`);
    cursor.skip();
    given[key] = readLiteral(cursor);
    cursor.skip();
    if (cursor.has(",")) continue;
    if (cursor.has(")")) break;
    throw new NotUnderstood("only literal values are understood");
  }
  return { name, arguments: given, line, text: cursor.textSince(at).replaceAll(/\s+/g, " ") };
}

function readLiteral(cursor: Cursor): Literal {
  if (cursor.has("[")) return readList(cursor, "]");
  if (cursor.has("(")) return readList(cursor, ")");
  const word = cursor.take(/True|False|None|-?\d+(?![\w.])/)?.[0];
  if (word !== undefined)
    return word === "True" ? true : word === "False" ? false : word === "None" ? null : Number(word);
  const parts: string[] = [];
  for (;;) {
    const open = cursor.take(/(r?)("""|'''|"|')/);
    if (open === undefined) break;
    parts.push(readText(cursor, open[2] ?? '"', open[1] === "r"));
    // Two texts side by side are no Starlark, but are one text in Python.
    cursor.skip();
    if (cursor.has("+")) cursor.skip();
    else break;
  }
  if (parts.length === 0) throw new NotUnderstood("only literal values are understood");
  return parts.join("");
}

function readList(cursor: Cursor, end: string): readonly Literal[] {
  const list: Literal[] = [];
  for (cursor.skip(); !cursor.has(end); cursor.skip()) {
    list.push(readLiteral(cursor));
    cursor.skip();
    if (cursor.has(",")) continue;
    if (cursor.has(end)) break;
    throw new NotUnderstood("only literal values are understood");
  }
  return list;
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "\n": "",
};

function readText(cursor: Cursor, quote: string, isRaw: boolean): string {
  let text = "";
  while (!cursor.has(quote)) {
    if (cursor.isAtEnd) throw new NotUnderstood("a text has no end");
    const char = cursor.next();
    if (char === "\n" && quote.length === 1) throw new NotUnderstood("a text has no end");
    if (char !== "\\") {
      text += char;
      continue;
    }
    const mark = cursor.next();
    const meant = isRaw ? `\\${mark}` : escapes[mark];
    if (meant === undefined) throw new NotUnderstood(`the escape \\${mark} is not understood`);
    text += meant;
  }
  return text;
}

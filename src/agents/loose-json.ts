/** JSON as editors and agents take it: with comments and commas at the end; and what is wrong with a file. */
import { type ParseError, parse as parseJson, stripComments } from "jsonc-parser";
import { TomlError } from "smol-toml";

export function parseLooseJson(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, "");
  const errors: ParseError[] = [];
  const value: unknown = parseJson(plain, errors, { allowTrailingComma: true });
  // What is wrong is said best by the strict reader.
  return errors.length === 0 ? value : JSON.parse(stripComments(plain, " "));
}

/** The parser of TOML shows the lines around the mistake below its message, and these may hold secrets. */
export function inOneLine(error: Error): string {
  if (error instanceof TomlError) return `${error.message.split("\n", 1)[0]} (line ${error.line})`;
  return error.message.replaceAll(/\s+/g, " ");
}

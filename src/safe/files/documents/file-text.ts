/** What no configuration file may hold: too much text, and characters that hide or reorder it. */
import { visible } from "../../../core/text/visible.ts";
import type { Place, YamlProblem } from "./read-yaml.ts";

export function explainBadText(text: string, maxBytes: number): YamlProblem | undefined {
  if (text.length > maxBytes || Buffer.byteLength(text) > maxBytes) {
    const message = `The file is larger than ${maxBytes} bytes; split it into several files.`;
    return { line: 1, column: 1, message, plain: message };
  }
  const source = withoutMark(text);
  const found = unwanted.exec(source);
  if (found === null) return undefined;
  const plain = "The file holds a character that has no place in a text file.";
  return { ...placesIn(source)(found.index), message: explain(found[0]), plain };
}

/**
 * Control characters; the end of a line that YAML does not count as one (an editor shows what follows as a
 * line of its own); marks that turn the direction of text, so that a rule reads as another; halves of
 * characters; and U+FFFD, which is what is left of bytes that are no UTF-8. In double quotes each can be
 * written as an escape.
 */
const unwanted =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffd-\uffff]|\r(?!\n)|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

function explain(character: string): string {
  const shown = visible(character);
  if (character === "\0")
    return "The file holds a NUL byte; it is not a text file, or it was saved as UTF-16.";
  if (character === "\ufffd")
    return "The file holds U+FFFD, the sign for broken characters; save the file again as UTF-8.";
  if (character === "\r")
    return "The file holds a carriage return that ends no line; use \\n or \\r\\n line ends.";
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return `The file holds the invisible character ${shown === character ? `U+${code}` : shown}; remove it, or write it as "\\u${code}" in double quotes.`;
}

/** Line and column of an offset, as an editor counts. Asked often, so line starts are looked up. */
export function placesIn(text: string): (offset: number) => Place {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    const inside = Math.max(0, Math.min(offset, text.length));
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= inside) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: inside - (starts[low] ?? 0) + 1 };
  };
}

/** Not part of the text, and not shown by editors. */
export function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** Words without an expansion: most words of most lines, read without asking the parser again. */

import type { Word } from "unbash";
import { type Arg, GLOB, LITERAL, literalArg, ONE } from "../arg.ts";
import { markOpaque, type Walk } from "../walk.ts";
import { addUnknown, expandTilde } from "./expansions.ts";

/** A word without quotes or expansions: backslashes, `~`, lone braces and brackets. */
export function bareArg(walk: Walk, word: Word): Arg {
  const text = word.text;
  let glob = false;
  let brace = false;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 92:
        i++;
        break;
      case 42:
      case 63:
        glob = true;
        break;
      case 123:
        brace = true;
        break;
      case 38:
      case 40:
      case 41:
      case 59:
      case 60:
      case 62:
      case 124:
        // The parser takes `2>(cmd)` for plain text, the shell runs it.
        markOpaque(walk, HIDDEN_OPERATOR, text);
        break;
      case 36:
        // At the end of a word it stands for itself (`grep ts$`); elsewhere the parser gave up (nesting).
        if (i !== text.length - 1) markOpaque(walk, "a word cannot be read; check its quotes and $", text);
        break;
      case 34:
      case 39:
      case 96:
        markOpaque(walk, "a word cannot be read; check its quotes and $", text);
        break;
    }
  }
  if (brace && /,|\.\./.test(text))
    markOpaque(walk, "braces in a word may expand; put them into quotes, or write the words out", text);
  const arg = literalArg("");
  arg.prefix = "";
  if (text.charCodeAt(0) === 126) expandTilde(walk, arg, text, word.value);
  else if (glob) addUnknown(arg, text, GLOB);
  else if (/[=:]~/.test(text)) addUnknown(arg, text, ONE);
  else arg.text = word.value;
  if (arg.kind === LITERAL) arg.prefix = arg.text;
  return arg;
}

/** `"..."` without expansions and `'...'`: the common quotes, read without asking the parser again. */
export function simplyQuoted(text: string): string | undefined {
  const quote = text.charCodeAt(0);
  const last = text.length - 1;
  if (last < 1 || text.charCodeAt(last) !== quote) return undefined;
  if (quote === 39) return text.indexOf("'", 1) === last ? text.slice(1, last) : undefined;
  if (quote !== 34 || text.indexOf('"', 1) !== last) return undefined;
  return EXPANDS_IN_QUOTES.test(text) ? undefined : text.slice(1, last);
}

/** Characters that can make a word more than its text; a table, because every word is asked. */
const SPECIAL = new Uint8Array(128);
for (const char of "\\~{}$`\"'*?[]<>()!@+|&;") SPECIAL[char.charCodeAt(0)] = 1;

export function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (SPECIAL[text.charCodeAt(i)] === 1) return false;
  }
  return true;
}

export const HIDDEN_OPERATOR = "an operator inside a word";
const EXPANDS_IN_QUOTES = /[\\$`]/;

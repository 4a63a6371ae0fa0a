/** Parses a command line, and refuses text that shells and parsers are known to read differently. */

import { type ParsedScript, parse } from "unbash";

const MAX_LENGTH = 64 * 1024;

type ParsedLine =
  | { readonly ok: true; readonly script: ParsedScript }
  | { readonly ok: false; readonly reason: string };

export function parseLine(text: unknown): ParsedLine {
  if (typeof text !== "string") return { ok: false, reason: "the command is no text" };
  if (text.length > MAX_LENGTH)
    return { ok: false, reason: `the line is longer than ${MAX_LENGTH} characters; split it` };
  if (NOT_PLAIN.test(text) && MISLEADING.test(text))
    return {
      ok: false,
      reason: "the line holds control characters or unusual white space; write plain spaces",
    };
  // Shells drop or keep a last backslash, parsers do the other.
  if (text.charCodeAt(text.length - 1) === 92)
    return { ok: false, reason: "the line ends with a backslash, as if more came behind it" };
  if (text.includes("\\\n") && JOINED.test(text))
    return {
      ok: false,
      reason:
        "a backslash joins two lines in the middle of an expansion or an operator; write it on one line",
    };
  return { ok: true, script: parse(text) };
}

/** `$\<newline>(cmd)` is `$(cmd)` to the shell and two texts to the parser. */
const JOINED = /[^\s\w./,-]\\\n\S|\S\\\n[^\s\w./,-]|\$\{?\w+\\\n\S/;

const NOT_PLAIN = /[^\n\t -~]/;

// NUL and CR end or join words differently from shell to shell; \x01 and \x7f are markers inside bash; the
// rest is white space to some readers and letters to others, or hides text from the person who approves.
const MISLEADING = new RegExp(
  [
    "[\\0-\\x08\\x0b-\\x1f\\x7f-\\xa0\\xad\\u061c\\u115f\\u1160\\u1680\\u180e\\u2000-\\u200c\\u200e\\u200f\\u2028-\\u202f\\u205f-\\u206f]",
    "[\\u2800\\u3000\\u3164\\ufeff\\uffa0\\ufff0-\\ufffd]",
    "\\udb40",
    "(?<![\\ud800-\\udbff])[\\udc00-\\udfff]",
    "[\\ud800-\\udbff](?![\\udc00-\\udfff])",
  ].join("|"),
);

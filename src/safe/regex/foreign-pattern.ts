/** Says whether RE2 takes a stranger's pattern: no look-around, no back-references, small repeats. */

import { RE2JS } from "re2js";

const MAX_FOREIGN_CHARS = 1_000;

/** `undefined` = acceptable. */
export function foreignObjection(source: string, flags: string): string | undefined {
  if (source.length > MAX_FOREIGN_CHARS)
    return `patterns from outside may have ${MAX_FOREIGN_CHARS} characters`;
  // re2js drops the backslash of \k silently, which would hide a back-reference.
  if (/(?:^|[^\\])(?:\\\\)*\\k/.test(source)) return OBJECTION;
  try {
    let options = 0;
    if (flags.includes("i")) options |= RE2JS.CASE_INSENSITIVE;
    if (flags.includes("m")) options |= RE2JS.MULTILINE;
    if (flags.includes("s")) options |= RE2JS.DOTALL;
    RE2JS.compile(RE2JS.translateRegExp(withShortProperties(source)), options);
    return undefined;
  } catch {
    return OBJECTION;
  }
}

/** RE2 knows few names of Unicode properties; to it any will do, because each stands for one character. */
function withShortProperties(source: string): string {
  return source.replace(/\\(?:[pP]\{[A-Za-z_=]+\}|[\s\S])/g, (escaped) =>
    /^\\[pP]\{/.test(escaped) ? "\\pL" : escaped,
  );
}

const OBJECTION =
  "patterns from outside must not use look-around, back-references or more than 1,000 repetitions";

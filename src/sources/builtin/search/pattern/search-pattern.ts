/** What a caller searches for, for ripgrep and for this process. Both find the same lines. */
import { createFindLines, type FindLines } from "../../../../safe/regex/find-lines.ts";
import { mayHangCompile, readPattern } from "../../../../safe/regex/pattern-syntax.ts";
import { type PatternNode, PatternProblem, parsePattern } from "./parse-pattern.ts";
import { fromPosixClasses } from "./posix-classes.ts";
import { toJavaScript } from "./to-javascript.ts";
import { toRipgrep } from "./to-ripgrep.ts";

export interface SearchPattern {
  readonly ok: true;
  /** Matches in every file that holds a line which `finderFor` finds, and perhaps in more. */
  readonly ripgrep: string;
  /** `damaged`: bytes of the text were no UTF-8. */
  finderFor(text: string, damaged: boolean): FindLines;
}

export interface PatternOptions {
  readonly ignoreCase: boolean;
  /** The text itself, not a regular expression. */
  readonly literal: boolean;
}

const maxCharacters = 1_000;

export function compileSearchPattern(
  given: string,
  options: PatternOptions,
): SearchPattern | { readonly ok: false; readonly message: string } {
  const refuse = (why: string) => ({ ok: false, message: `The pattern cannot be used: ${why}.` }) as const;
  if (given.length > maxCharacters) return refuse(`it is longer than ${maxCharacters} characters`);
  const written = options.literal ? given.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&") : fromPosixClasses(given);
  const syntax = readPattern(written, options.ignoreCase ? "i" : "");
  if (!syntax.ok) return refuse(syntax.message);
  let tree: PatternNode;
  try {
    tree = parsePattern(syntax.source, syntax.flags.includes("i"));
  } catch (error) {
    if (error instanceof PatternProblem)
      return refuse(`${error.message} (set literal to search for the text itself)`);
    throw error;
  }
  if (mayHangCompile(syntax.source, syntax.shape))
    return refuse("it is too complex; search for a part of it and read the lines");
  const anchored = isAnchored(tree);
  const finders = new Map<string, FindLines>();
  return {
    ok: true,
    ripgrep: toRipgrep(tree),
    finderFor(text, damaged) {
      const wide = beyondBasic.test(text);
      const key = `${wide} ${damaged}`;
      const known = finders.get(key);
      if (known !== undefined) return known;
      const made = createFindLines({ source: toJavaScript(tree, { wide, damaged }), anchored });
      finders.set(key, made);
      return made;
    },
  };
}

const beyondBasic = /[\ud800-\udfff]/;

function isAnchored(node: PatternNode): boolean {
  switch (node.kind) {
    case "start":
    case "end":
      return true;
    case "sequence":
      return node.parts.some(isAnchored);
    case "choice":
      return node.options.some(isAnchored);
    case "repeat":
      return isAnchored(node.part);
    default:
      return false;
  }
}

/** Markdown as tokens, within bounds: undefined where its text would take too long to read or to draw. */
import { lexer, type Token, type Tokens } from "marked";

const longest = 200_000;
const deepest = 24;
/** The lexer looks from each mark at the rest of its paragraph: so many steps take it about 0.3 s at worst. */
const mostSteps = 4_000_000;

/** `isGrowing`: it is read again for every piece that is added, so each time must be short. */
export function readMarkdown(text: string, isGrowing = false): readonly Token[] | undefined {
  const most = isGrowing ? mostSteps / 10 : mostSteps;
  if (text.length > longest || countSteps(text) > most || nestedMarks.test(text)) return undefined;
  try {
    const tokens = lexer(text, { gfm: true });
    return isDeeper(tokens, deepest) ? undefined : tokens;
  } catch {
    // It nests deeper than there is room on the stack.
    return undefined;
  }
}

/** Quotes and lists within each other at the beginning of one line. */
const nestedMarks = /^[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+){20}/m;

function countSteps(text: string): number {
  let steps = 0;
  // What stands between fences is not looked at.
  for (const paragraph of text.replace(/^```[^\n]*\n[\s\S]*?^```/gm, "").split(/\n[ \t]*\n/)) {
    const marks = paragraph.match(/[*_~[\]<>`\\]/g)?.length ?? 0;
    steps += marks * paragraph.length;
  }
  return steps;
}

function isDeeper(tokens: readonly Token[], left: number): boolean {
  if (left === 0) return true;
  return tokens.some((token) => {
    const { tokens: inner = [], items = [] } = token as Tokens.Generic;
    return isDeeper(inner, left - 1) || isDeeper(items as readonly Token[], left - 1);
  });
}

/** Matches one name against `*`, `?` and `[...]`. The time is bounded: patterns come from strangers. */
import { fitsParts } from "../../../../safe/files/name-pattern.ts";

export type NamePattern = (name: string) => boolean;

type Token =
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  | { readonly kind: "class"; readonly negated: boolean; readonly ranges: readonly Range[] };

type Range = readonly [low: number, high: number];

/** Undefined when the pattern is broken (an open `[`, a `\` at its end): such a one matches nothing. */
export function compileName(pattern: string): NamePattern | undefined {
  const tokens = tokensOf(pattern);
  if (tokens === undefined) return undefined;
  const literal = literalOf(tokens);
  if (literal !== undefined) return (name) => name === literal;
  const [first, ...rest] = tokens;
  const suffix = first?.kind === "star" ? literalOf(rest) : undefined;
  if (suffix !== undefined) return (name) => name.endsWith(suffix);
  return (name) => fitsParts(tokens, Array.from(name), ({ kind }) => kind === "star", accepts);
}

function literalOf(tokens: readonly Token[]): string | undefined {
  let text = "";
  for (const token of tokens) {
    if (token.kind !== "char") return undefined;
    text += token.char;
  }
  return text;
}

function accepts(token: Token, char: string): boolean {
  if (token.kind === "char") return token.char === char;
  if (token.kind !== "class") return true;
  const code = char.codePointAt(0) ?? 0;
  return token.ranges.some(([low, high]) => low <= code && code <= high) !== token.negated;
}

function tokensOf(pattern: string): Token[] | undefined {
  const tokens: Token[] = [];
  const chars = Array.from(pattern);
  for (let index = 0; index < chars.length; index++) {
    const char = chars[index] as string;
    if (char === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (char === "?") tokens.push({ kind: "any" });
    else if (char === "\\") {
      const escaped = chars[++index];
      if (escaped === undefined) return undefined;
      tokens.push({ kind: "char", char: escaped });
    } else if (char === "[") {
      const read = readClass(chars, index + 1);
      if (read === undefined) return undefined;
      tokens.push(read.token);
      index = read.end;
    } else tokens.push({ kind: "char", char });
  }
  return tokens;
}

function readClass(
  chars: readonly string[],
  start: number,
): { readonly token: Token; readonly end: number } | undefined {
  let index = start;
  const negated = chars[index] === "!" || chars[index] === "^";
  if (negated) index += 1;
  const ranges: Range[] = [];
  for (let first = true; ; first = false) {
    if (chars[index] === "]" && !first) return { token: { kind: "class", negated, ranges }, end: index };
    const low = codeAt(chars, index);
    if (low === undefined) return undefined;
    index = low.next;
    const isRange = chars[index] === "-" && chars[index + 1] !== "]";
    const high = isRange ? codeAt(chars, index + 1) : low;
    if (high === undefined || high.code < low.code) return undefined;
    if (isRange) index = high.next;
    ranges.push([low.code, high.code]);
  }
}

function codeAt(
  chars: readonly string[],
  index: number,
): { readonly code: number; readonly next: number } | undefined {
  const escaped = chars[index] === "\\";
  const code = chars[escaped ? index + 1 : index]?.codePointAt(0);
  return code === undefined ? undefined : { code, next: index + (escaped ? 2 : 1) };
}

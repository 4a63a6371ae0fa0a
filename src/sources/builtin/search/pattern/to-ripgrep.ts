/** Writes a pattern for ripgrep. It may match more than is meant (files are read again), never less. */
import { type CharSet, complement, within } from "./char-set.ts";
import type { PatternNode } from "./parse-pattern.ts";

/** `isLast`: nothing of the pattern comes after the node. */
export function toRipgrep(node: PatternNode, isLast = true): string {
  switch (node.kind) {
    case "set":
      return writeSet(node.set);
    case "sequence":
      return node.parts
        .map((part, index) => {
          const written = toRipgrep(part, isLast && index === node.parts.length - 1);
          return part.kind === "choice" ? `(?:${written})` : written;
        })
        .join("");
    case "choice":
      return node.options.map((option) => toRipgrep(option, isLast)).join("|");
    case "repeat":
      return `(?:${toRipgrep(node.part, false)})${countOf(node.min, node.max)}${node.greedy ? "" : "?"}`;
    case "start":
      return "^";
    // A carriage return belongs to the end of its line. Where more follows the end, everything passes.
    case "end":
      return isLast ? "(?:\\r?$)" : "(?:)";
    case "edge":
      return "(?-u:\\b)";
    case "no-edge":
      return "(?-u:\\B)";
  }
}

export function countOf(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  if (min === 0 && max === 1) return "?";
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

function writeSet(set: CharSet): string {
  const [only, second] = set;
  // Nothing can match: an empty class is not written that way here.
  if (only === undefined) return "[^\\x{0}-\\x{10ffff}]";
  if (second === undefined && only[0] === only[1]) return writeCode(only[0]);
  const rest = complement(set);
  return rest.length < set.length ? `[^${writeRanges(rest)}]` : `[${writeRanges(set)}]`;
}

/** Halves of surrogate pairs are no characters for this engine. */
function writeRanges(set: CharSet): string {
  return [...within(set, 0, 0xd7ff), ...within(set, 0xe000, 0x10ffff)]
    .map(([low, high]) => (low === high ? writeCode(low) : `${writeCode(low)}-${writeCode(high)}`))
    .join("");
}

function writeCode(code: number): string {
  const char = String.fromCodePoint(code);
  return /^[A-Za-z0-9_]$/.test(char) ? char : `\\x{${code.toString(16)}}`;
}

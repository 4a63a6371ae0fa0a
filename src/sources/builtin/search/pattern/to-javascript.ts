/** Writes a pattern for JavaScript without flags i and u, so that V8's linear engine can take it. */
import { type CharSet, within, without } from "./char-set.ts";
import type { PatternNode } from "./parse-pattern.ts";
import { countOf } from "./to-ripgrep.ts";

export interface TextKind {
  /** May hold characters beyond U+FFFF, which are two units here. */
  readonly wide: boolean;
  /** Bytes that are no UTF-8 became U+FFFD: that one then is no character which anything matches. */
  readonly damaged: boolean;
}

const replacement = 0xfffd;

export function toJavaScript(node: PatternNode, kind: TextKind): string {
  switch (node.kind) {
    case "set":
      return writeSet(kind.damaged ? without(node.set, replacement) : node.set, kind.wide);
    case "sequence":
      return node.parts
        .map((part) =>
          part.kind === "choice" ? `(?:${toJavaScript(part, kind)})` : toJavaScript(part, kind),
        )
        .join("");
    case "choice":
      return node.options.map((option) => toJavaScript(option, kind)).join("|");
    case "repeat":
      return `(?:${toJavaScript(node.part, kind)})${countOf(node.min, node.max)}${node.greedy ? "" : "?"}`;
    case "start":
      return "^";
    case "end":
      return "$";
    case "edge":
      return "\\b";
    case "no-edge":
      return "\\B";
  }
}

function writeSet(set: CharSet, wide: boolean): string {
  const narrow = [...within(set, 0, 0xd7ff), ...within(set, 0xe000, 0xffff)];
  const pairs = wide ? within(set, 0x10000, 0x10ffff).flatMap(([low, high]) => writePairs(low, high)) : [];
  const [only] = narrow;
  const one = narrow.length === 1 && only !== undefined && only[0] === only[1];
  const choices =
    narrow.length === 0 ? pairs : [one ? writeUnit(only[0]) : `[${writeRanges(narrow)}]`, ...pairs];
  if (choices.length === 0) return "[]";
  return choices.length === 1 ? (choices[0] as string) : `(?:${choices.join("|")})`;
}

/** A range of pairs as at most three: the rest of the first half, whole halves, the start of the last. */
function writePairs(low: number, high: number): string[] {
  const [lowHead, lowTail] = halves(low);
  const [highHead, highTail] = halves(high);
  if (lowHead === highHead) return [pairs(lowHead, lowHead, lowTail, highTail)];
  const firstWhole = lowTail === 0xdc00 ? lowHead : lowHead + 1;
  const lastWhole = highTail === 0xdfff ? highHead : highHead - 1;
  return [
    ...(firstWhole > lowHead ? [pairs(lowHead, lowHead, lowTail, 0xdfff)] : []),
    ...(firstWhole <= lastWhole ? [pairs(firstWhole, lastWhole, 0xdc00, 0xdfff)] : []),
    ...(lastWhole < highHead ? [pairs(highHead, highHead, 0xdc00, highTail)] : []),
  ];
}

function pairs(firstHead: number, lastHead: number, firstTail: number, lastTail: number): string {
  return `[${writeRanges([[firstHead, lastHead]])}][${writeRanges([[firstTail, lastTail]])}]`;
}

function halves(code: number): [number, number] {
  const offset = code - 0x10000;
  return [0xd800 + (offset >> 10), 0xdc00 + (offset & 0x3ff)];
}

function writeRanges(set: CharSet): string {
  return set
    .map(([low, high]) => (low === high ? writeUnit(low) : `${writeUnit(low)}-${writeUnit(high)}`))
    .join("");
}

function writeUnit(unit: number): string {
  const char = String.fromCharCode(unit);
  return /^[A-Za-z0-9_]$/.test(char) ? char : `\\u${unit.toString(16).padStart(4, "0")}`;
}

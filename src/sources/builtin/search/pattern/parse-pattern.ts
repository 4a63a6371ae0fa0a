/** Reads a pattern in JavaScript's spelling into the few forms that every engine without backtracking has. */
import { type AST, RegExpParser } from "@eslint-community/regexpp";
import {
  type CharSet,
  complement,
  escapeSets,
  everything,
  propertySet,
  union,
  withBothCases,
  without,
} from "./char-set.ts";

export type PatternNode =
  | { readonly kind: "set"; readonly set: CharSet }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly options: readonly PatternNode[] }
  | {
      readonly kind: "repeat";
      readonly part: PatternNode;
      readonly min: number;
      readonly max: number;
      readonly greedy: boolean;
    }
  | { readonly kind: "start" | "end" | "edge" | "no-edge" };

/** The sentence says what the pattern holds that cannot be searched for. */
export class PatternProblem extends Error {
  override readonly name = "PatternProblem";
}

const maxRepeat = 1_000;
const lineFeed = 0x0a;

/** Throws a PatternProblem. No set holds the line feed: a match never leaves its line. */
export function parsePattern(source: string, ignoreCase: boolean): PatternNode {
  // Only the strict spelling knows \p{...} and characters beyond U+FFFF; the other takes `foo() {`.
  const unicode = /\\(?:[pP]\{|u\{)|[\ud800-\udfff]/.test(source);
  let tree: AST.Pattern;
  try {
    tree = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, { unicode });
  } catch (error) {
    throw new PatternProblem(
      (error as Error).message.replace(/^Invalid regular expression: (?:\/.*\/\w*: )?/s, ""),
    );
  }
  return new Reader(ignoreCase).choice(tree.alternatives);
}

class Reader {
  readonly #ignoreCase: boolean;

  constructor(ignoreCase: boolean) {
    this.#ignoreCase = ignoreCase;
  }

  choice(alternatives: readonly AST.Alternative[]): PatternNode {
    const options = alternatives.map(({ elements }) => this.#sequence(elements));
    return options.length === 1 ? (options[0] as PatternNode) : { kind: "choice", options };
  }

  #sequence(elements: readonly AST.Element[]): PatternNode {
    const parts = elements.map((element) => this.#element(element));
    return parts.length === 1 ? (parts[0] as PatternNode) : { kind: "sequence", parts };
  }

  #element(element: AST.Element): PatternNode {
    switch (element.type) {
      case "Character":
        if (element.value === lineFeed)
          throw new PatternProblem(
            "a match never leaves its line, so \\n is never found: search for one of the lines",
          );
        return this.#one(codeOf(element));
      case "CharacterSet":
        return { kind: "set", set: without(this.#characterSet(element), lineFeed) };
      case "CharacterClass":
        return { kind: "set", set: without(this.#characterClass(element), lineFeed) };
      case "Group":
        return this.#withFlags(element.modifiers).choice(element.alternatives);
      case "CapturingGroup":
        return this.choice(element.alternatives);
      case "Quantifier":
        return this.#repeat(element);
      case "Assertion":
        return assertion(element);
      case "Backreference":
        throw new PatternProblem("back-references such as \\1 are not taken");
      default:
        throw new PatternProblem("this kind of class is not taken");
    }
  }

  /** `(?i:...)` and `(?-i:...)`. */
  #withFlags(modifiers: AST.Modifiers | null): Reader {
    if (modifiers === null) return this;
    const { add, remove } = modifiers;
    if (add?.dotAll || remove?.dotAll || add?.multiline || remove?.multiline)
      throw new PatternProblem("other flags than i, as in (?i:...), are not taken");
    return new Reader(add?.ignoreCase === true);
  }

  #one(code: number): PatternNode {
    const set: CharSet = [[code, code]];
    return { kind: "set", set: this.#ignoreCase ? withBothCases(set) : set };
  }

  #repeat({ element, min, max, greedy }: AST.Quantifier): PatternNode {
    if (min > maxRepeat || (max !== Number.POSITIVE_INFINITY && max > maxRepeat))
      throw new PatternProblem(`it repeats more than ${maxRepeat} times`);
    return { kind: "repeat", part: this.#element(element), min, max, greedy };
  }

  #characterSet(set: AST.CharacterSet): CharSet {
    if (set.kind === "any") return everything;
    if (set.kind === "property") {
      const found = propertySet(set.raw.replace(/^\\P/, "\\p"));
      const cased = this.#ignoreCase ? withBothCases(found) : found;
      return set.negate ? complement(cased) : cased;
    }
    return set.negate ? complement(escapeSets[set.kind]) : escapeSets[set.kind];
  }

  #characterClass({ elements, negate }: AST.CharacterClass): CharSet {
    const sets: CharSet[] = [];
    for (const element of elements) {
      if (element.type === "Character") sets.push([[codeOf(element), element.value]]);
      else if (element.type === "CharacterClassRange")
        sets.push([[codeOf(element.min), codeOf(element.max)]]);
      else if (element.type === "CharacterSet") sets.push(this.#characterSet(element));
      else throw new PatternProblem("nested classes are not taken");
    }
    const found = union(...sets);
    const cased = this.#ignoreCase ? withBothCases(found) : found;
    return negate ? complement(cased) : cased;
  }
}

function assertion(element: AST.Assertion): PatternNode {
  switch (element.kind) {
    case "start":
    case "end":
      return { kind: element.kind };
    case "word":
      return { kind: element.negate ? "no-edge" : "edge" };
    default:
      throw new PatternProblem(
        "look-around such as (?=...) or (?<!...) is not taken: search wider and read the lines",
      );
  }
}

function codeOf({ value, raw }: AST.Character): number {
  refuseUnknownEscape(raw);
  if (value >= 0xd800 && value <= 0xdfff) throw new PatternProblem(`${raw} is half a character`);
  return value;
}

/** `\A` or `\h` mean something in other engines, here only a letter: better no answer than a wrong one. */
function refuseUnknownEscape(raw: string): void {
  if (/^\\[A-Za-z]$/.test(raw) && !/^\\[fnrtv]$/.test(raw))
    throw new PatternProblem(
      `${raw} is not known here${raw === "\\A" || raw === "\\z" || raw === "\\Z" ? ": use ^ or $" : ""}`,
    );
  if (/^\\[1-9]/.test(raw)) throw new PatternProblem("back-references such as \\1 are not taken");
}

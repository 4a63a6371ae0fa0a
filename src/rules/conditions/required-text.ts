/** Finds texts that occur in everything a pattern matches. Without them the pattern need not be tried. */
import { type AST, RegExpParser } from "@eslint-community/regexpp";

/** One text, or several requirements that must all hold; of a list inside, one text is enough. */
export type RequiredText = string | readonly (string | readonly string[])[];

export interface Requirement {
  readonly needs: RequiredText;
  /** The texts are in lower case and are looked for in the lower-case text. */
  readonly foldsCase: boolean;
}

/** Undefined: nothing is certain. A wrong text would be a rule that does not hold, so doubt is unknown. */
export function requiredText(source: string, flags: string): Requirement | undefined {
  const foldsCase = flags.includes("i");
  const unicode = flags.includes("u");
  const unicodeSets = flags.includes("v");
  // With Unicode folding, letters outside ASCII match ASCII ones (U+017F is an s).
  if (foldsCase && (unicode || unicodeSets)) return undefined;
  // V8 goes on ignoring case behind `(?i:...)` in classes of such patterns.
  if (unicodeSets && /\(\?[a-z-]+:/.test(source)) return undefined;
  let pattern: AST.Pattern;
  try {
    pattern = parser.parsePattern(source, 0, source.length, { unicode, unicodeSets });
  } catch {
    return undefined;
  }
  const chosen = strongest(readAlternatives(pattern.alternatives, foldsCase).clauses);
  if (chosen.length === 0) return undefined;
  const simple = chosen.map((clause) => (clause.length === 1 ? (clause[0] as string) : clause));
  const [first] = simple;
  return { needs: simple.length === 1 && typeof first === "string" ? first : simple, foldsCase };
}

const parser = new RegExpParser({ ecmaVersion: 2025 });

const maxClauses = 3;
const maxChoices = 16;
const maxLength = 64;

/** One of these texts occurs. */
type Clause = readonly string[];

/** What is certain about the text that a part of a pattern matches. */
interface Part {
  /** It matches `head` and nothing else. */
  readonly whole: boolean;
  /** How the text begins, and how it ends. */
  readonly head: string;
  readonly tail: string;
  readonly clauses: readonly Clause[];
}

const unknown: Part = { whole: false, head: "", tail: "", clauses: [] };

function literal(text: string, clauses: readonly Clause[] = []): Part {
  return { whole: true, head: text, tail: text, clauses };
}

function readAlternatives(alternatives: readonly AST.Alternative[], foldsCase: boolean): Part {
  const parts = alternatives.map(({ elements }) => readSequence(elements, foldsCase));
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const choices = new Set<string>();
  for (const part of parts) {
    const [best] = strongest(part.clauses);
    if (best === undefined) return unknown;
    for (const text of best) choices.add(text);
  }
  return choices.size > maxChoices ? unknown : { ...unknown, clauses: [[...choices]] };
}

/** Texts side by side grow together: `a`, `b+`, `c` give `ab` and `bc`. */
function readSequence(elements: readonly AST.Element[], foldsCase: boolean): Part {
  const clauses: Clause[] = [];
  let head: string | undefined;
  let run = "";
  const endRun = (): void => {
    head ??= run;
    if (run !== "") clauses.push([run.slice(0, maxLength)]);
  };
  for (const element of elements) {
    const part = readElement(element, foldsCase);
    clauses.push(...part.clauses);
    run += part.head;
    if (part.whole) continue;
    endRun();
    run = part.tail;
  }
  const whole = head === undefined;
  endRun();
  return { whole, head: head ?? "", tail: run, clauses };
}

function readElement(element: AST.Element, foldsCase: boolean): Part {
  switch (element.type) {
    case "Character":
      return readCharacter(element, foldsCase);
    case "CharacterClass": {
      const [only] = element.elements;
      const isOne = element.elements.length === 1 && !element.negate && only?.type === "Character";
      return isOne ? readCharacter(only, foldsCase) : unknown;
    }
    case "Group":
      // `(?i:...)` and `(?-i:...)` read the same letters in another way.
      return element.modifiers === null ? readAlternatives(element.alternatives, foldsCase) : unknown;
    case "CapturingGroup":
      return readAlternatives(element.alternatives, foldsCase);
    case "Assertion":
      return readAssertion(element, foldsCase);
    case "Quantifier":
      return readQuantifier(element, foldsCase);
    default:
      return unknown;
  }
}

function readCharacter({ value }: AST.Character, foldsCase: boolean): Part {
  if (!foldsCase) return literal(String.fromCodePoint(value));
  // Without flag u, no letter outside ASCII folds into ASCII, so lower case is exact here.
  return value < 128 ? literal(String.fromCharCode(value).toLowerCase()) : unknown;
}

/** An assertion reads no character itself. What a positive look-around sees is in the text, too. */
function readAssertion(assertion: AST.Assertion, foldsCase: boolean): Part {
  if (assertion.kind !== "lookahead" && assertion.kind !== "lookbehind") return literal("");
  return literal("", assertion.negate ? [] : readAlternatives(assertion.alternatives, foldsCase).clauses);
}

function readQuantifier({ min, max, element }: AST.Quantifier, foldsCase: boolean): Part {
  if (min === 0) return unknown;
  const once = readElement(element, foldsCase);
  if (max === 1 || !once.whole) return { ...once, whole: once.whole && max === 1 };
  if (min === max && once.head.length * max <= maxLength) return literal(once.head.repeat(max), once.clauses);
  return { ...once, whole: false };
}

/** The longest texts say most; one that another holds says nothing more. */
function strongest(clauses: readonly Clause[]): readonly Clause[] {
  const ordered = [...clauses].sort((a, b) => shortestIn(b) - shortestIn(a) || a.length - b.length);
  const kept: Clause[] = [];
  for (const clause of ordered) {
    if (kept.length === maxClauses) break;
    const isImplied = kept.some((other) => other.every((text) => clause.some((part) => text.includes(part))));
    if (!isImplied) kept.push(clause);
  }
  return kept;
}

function shortestIn(clause: Clause): number {
  return Math.min(...clause.map((text) => text.length));
}

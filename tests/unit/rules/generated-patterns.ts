/** JavaScript patterns grown from a grammar, and texts that they are likely to match. */
import fc from "fast-check";

export type PatternNode =
  | { readonly kind: "text"; readonly source: string; readonly text: string }
  | {
      readonly kind: "set";
      readonly source: string;
      readonly members: readonly string[];
      readonly first: string;
    }
  | { readonly kind: "group"; readonly open: string; readonly body: PatternNode }
  | { readonly kind: "either"; readonly branches: readonly PatternNode[] }
  | { readonly kind: "row"; readonly parts: readonly PatternNode[] }
  | {
      readonly kind: "repeat";
      readonly body: PatternNode;
      readonly source: string;
      readonly min: number;
      readonly most: number;
    }
  | { readonly kind: "look"; readonly open: string; readonly body: PatternNode }
  | { readonly kind: "edge"; readonly source: string }
  | { readonly kind: "reference"; readonly source: string; readonly to: number | string };

/** Few letters, so that patterns and texts meet; and those that fold in unexpected ways (U+017F is an s, U+212A a k). */
const letters = [..."abcksiAKSI"];
const others = [..."\u017f\u212a\u0131\u0130éÉßΣς😀17- /\n"];
const alphabet = [...letters, ...others, "_", "\u0001", "\ud83d", "\ude00"];

const often = (weight: number, arbitrary: fc.Arbitrary<PatternNode>) => ({ weight, arbitrary });

const character: fc.Arbitrary<PatternNode> = fc.oneof(
  often(10, fc.constantFrom(...letters).map(literally)),
  often(3, fc.constantFrom(...others).map(literally)),
  often(
    4,
    fc.constantFrom(
      escaped("\\x61", "a"),
      escaped("\\x4B", "K"),
      escaped("\\u0073", "s"),
      escaped("\\u017f", "\u017f"),
      escaped("\\u{61}", "a"),
      escaped("\\u{1f600}", "😀"),
      escaped("\\ud83d\\ude00", "😀"),
      escaped("\\ud83d", "\ud83d"),
      escaped("\\cA", "\u0001"),
      escaped("\\101", "A"),
      escaped("\\-", "-"),
      escaped("\\/", "/"),
      escaped("\\.", "."),
      escaped("\\n", "\n"),
      escaped("\\0", "\0"),
      escaped("[b]", "b"),
      escaped("[S]", "S"),
      escaped("[\\x6b]", "k"),
      escaped("[.]", "."),
      // A brace that counts nothing is a brace.
      escaped("{", "{"),
      escaped("b{,2}", "b{,2}"),
    ),
  ),
);

const set: fc.Arbitrary<PatternNode> = fc.constantFrom(
  setOf(".", ["a", "b", "K", "😀", "\n"], "."),
  setOf("[ab]", ["a", "b"], "a"),
  setOf("[a-c]", ["a", "b", "c"], "a"),
  setOf("[sK]", ["s", "K", "S", "k", "\u017f", "\u212a"], "s"),
  setOf("[aé]", ["a", "é"], "a"),
  setOf("[^a]", ["b", "1", "\n"], "a"),
  setOf("[^]", ["a", "\n"], ""),
  setOf("[\\w-]", ["a", "-", "_"], "w"),
  setOf("[a\\d]", ["a", "1"], "a"),
  setOf("\\d", ["1", "7"], "d"),
  setOf("\\w", ["a", "s", "_", "\u017f"], "w"),
  setOf("\\W", ["-", " ", "é"], "W"),
  setOf("\\s", [" ", "\n"], "s"),
  setOf("\\S", ["a", "-"], "S"),
  setOf("\\p{L}", ["a", "é"], "p"),
  setOf("\\p{Lu}", ["A", "K"], "p"),
  setOf("[\\p{L}--[b]]", ["a", "s"], "p"),
  setOf("[\\w&&[ab]]", ["a", "b"], "a"),
  setOf("[\\q{ab|c}]", ["ab", "c"], "ab"),
  setOf("[\\q{ab}]", ["ab"], "ab"),
);

const edge: fc.Arbitrary<PatternNode> = fc
  .constantFrom("^", "$", "\\b", "\\B")
  .map((source) => ({ kind: "edge", source }));

const reference: fc.Arbitrary<PatternNode> = fc.constantFrom<PatternNode>(
  { kind: "reference", source: "\\1", to: 1 },
  { kind: "reference", source: "\\2", to: 2 },
  { kind: "reference", source: "\\k<x>", to: "x" },
);

/** Unbounded repeats stand only around what has none, so that no generated pattern takes exponential time. */
const counts = [
  ["?", 0, 1],
  ["??", 0, 1],
  ["{0,2}", 0, 2],
  ["{0}", 0, 0],
  ["{1}", 1, 1],
  ["{2}", 2, 2],
  ["{1,2}", 1, 2],
  ["{2,3}?", 2, 3],
] as const;
const unbounded = [
  ["*", 0, 2],
  ["*?", 0, 2],
  ["+", 1, 3],
  ["+?", 1, 3],
  ["{1,}", 1, 3],
  ["{2,}", 2, 3],
  ["{0,}", 0, 2],
] as const;
const groupOpens = ["(", "(", "(?:", "(?:", "(?<x>", "(?i:", "(?-i:", "(?s-i:"] as const;
const lookOpens = ["(?=", "(?!", "(?<=", "(?<!"] as const;

const simple = fc.oneof(often(12, character), often(3, set), often(1, edge), often(1, reference));

const { whole: anyPattern } = fc.letrec<{ whole: PatternNode; row: PatternNode; part: PatternNode }>(
  (tie) => ({
    whole: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      often(3, tie("row")),
      often(
        2,
        fc
          .array(tie("row"), { minLength: 2, maxLength: 3 })
          .map((branches): PatternNode => ({ kind: "either", branches })),
      ),
    ),
    row: fc
      .array(tie("part"), { minLength: 0, maxLength: 5 })
      .map((parts): PatternNode => ({ kind: "row", parts })),
    part: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      often(8, simple),
      often(
        3,
        fc
          .tuple(fc.constantFrom(...groupOpens), tie("whole"))
          .map(([open, body]): PatternNode => ({ kind: "group", open, body })),
      ),
      often(
        2,
        fc
          .tuple(fc.constantFrom(...lookOpens), tie("whole"))
          .map(([open, body]): PatternNode => ({ kind: "look", open, body })),
      ),
      // What is looked for and then read; what is captured and then repeated.
      often(
        1,
        tie("row").map(
          (body): PatternNode => ({ kind: "row", parts: [{ kind: "look", open: "(?=", body }, body] }),
        ),
      ),
      often(
        1,
        fc.tuple(tie("row"), tie("row")).map(([body, between]): PatternNode => {
          const captured: PatternNode = { kind: "group", open: "(?<x>", body };
          return {
            kind: "row",
            parts: [captured, between, { kind: "reference", source: "\\k<x>", to: "x" }, between],
          };
        }),
      ),
      often(3, fc.tuple(fc.constantFrom(...counts), tie("part")).map(repeated)),
      often(3, fc.tuple(fc.constantFrom(...unbounded), tie("part")).map(repeated)),
    ),
  }),
);

export const pattern: fc.Arbitrary<PatternNode> = anyPattern.filter(
  (node) => repeatsInUnbounded(node) === 0 && repeatDepth(node) <= 2 && unboundedIn(node) <= 4,
);

export const flags = fc.constantFrom("", "", "i", "i", "s", "m", "im", "u", "iu", "v", "iv", "su");

function repeated([[source, min, most], body]: readonly [
  readonly [string, number, number],
  PatternNode,
]): PatternNode {
  // `ab{2}` would repeat the b alone, and nothing can follow a repeat or an edge.
  const isBare =
    body.kind === "repeat" ||
    body.kind === "row" ||
    body.kind === "edge" ||
    (body.kind === "text" && body.text.length > 1);
  return { kind: "repeat", body: isBare ? { kind: "group", open: "(?:", body } : body, source, min, most };
}

function escaped(source: string, text: string): PatternNode {
  return { kind: "text", source, text };
}

function literally(text: string): PatternNode {
  return escaped(text === "\n" ? "\\n" : text, text);
}

function setOf(source: string, members: readonly string[], first: string): PatternNode {
  return { kind: "set", source, members, first };
}

function childrenOf(node: PatternNode): readonly PatternNode[] {
  if ("body" in node) return [node.body];
  if (node.kind === "either") return node.branches;
  return node.kind === "row" ? node.parts : [];
}

function isUnbounded(node: PatternNode): boolean {
  return node.kind === "repeat" && unbounded.some(([source]) => source === node.source);
}

function repeatDepth(node: PatternNode): number {
  return Math.max(0, ...childrenOf(node).map(repeatDepth)) + (node.kind === "repeat" ? 1 : 0);
}

function repeatsInUnbounded(node: PatternNode): number {
  if (isUnbounded(node)) return repeatDepth(node) - 1;
  return Math.max(0, ...childrenOf(node).map(repeatsInUnbounded));
}

function unboundedIn(node: PatternNode): number {
  return childrenOf(node).reduce((sum, child) => sum + unboundedIn(child), isUnbounded(node) ? 1 : 0);
}

/** How a node is written; a mistake of a reader is a change of it. */
export function print(
  node: PatternNode,
  change: (node: PatternNode) => PatternNode = (same) => same,
): string {
  const now = change(node);
  const inner = (child: PatternNode) => print(child, change);
  switch (now.kind) {
    case "either":
      return now.branches.map(inner).join("|");
    case "row":
      return now.parts.map((part) => (part.kind === "either" ? `(?:${inner(part)})` : inner(part))).join("");
    case "group":
    case "look":
      return `${now.open}${inner(now.body)})`;
    case "repeat":
      return `${inner(now.body)}${now.source}`;
    default:
      return now.source;
  }
}

export type Random = () => number;

/** Long enough for every shape, and too short for a pattern that tries everything. */
const maxCharacters = 30;

/** A text that the pattern may match: the pattern walked, with something before and behind it. */
export function likelyText(node: PatternNode, foldsCase: boolean, random: Random): string {
  const numbers = new Map<PatternNode, number>();
  numberGroups(node, numbers);
  const walk = new Walk(numbers, random);
  const text = walk.text(node, foldsCase);
  const whole = walk.ahead.reduce((made, seen) => (random() < 0.5 ? made + seen : made), text);
  const noise = () => (random() < 0.3 ? anyText(random, 3) : "");
  const framed = `${noise()}${whole}${noise()}`;
  if (random() > 0.15 || framed === "") return framed.slice(0, maxCharacters);
  const at = Math.floor(random() * framed.length);
  return (framed.slice(0, at) + (random() < 0.5 ? anyText(random, 1) : "") + framed.slice(at + 1)).slice(
    0,
    maxCharacters,
  );
}

export function anyText(random: Random, most: number): string {
  const length = Math.floor(random() * (most + 1));
  return Array.from({ length }, () => pick(alphabet, random)).join("");
}

function numberGroups(node: PatternNode, numbers: Map<PatternNode, number>): void {
  if (node.kind === "group" && (node.open === "(" || node.open === "(?<x>"))
    numbers.set(node, numbers.size + 1);
  for (const child of childrenOf(node)) numberGroups(child, numbers);
}

class Walk {
  /** What look-aheads want to see further on. */
  readonly ahead: string[] = [];
  readonly #numbers: ReadonlyMap<PatternNode, number>;
  readonly #random: Random;
  readonly #captured = new Map<number | string, string>();
  #isFirst = true;

  constructor(numbers: ReadonlyMap<PatternNode, number>, random: Random) {
    this.#numbers = numbers;
    this.#random = random;
  }

  text(node: PatternNode, foldsCase: boolean): string {
    switch (node.kind) {
      case "text":
        return this.#fold(node.text, foldsCase);
      case "set":
        return this.#fold(pick(node.members, this.#random), foldsCase);
      case "row":
        return node.parts.map((part) => this.text(part, foldsCase)).join("");
      case "either":
        return this.text(pick(node.branches, this.#random), foldsCase);
      case "repeat": {
        const times = node.min + Math.floor(this.#random() * (node.most - node.min + 1));
        return Array.from({ length: times }, () => this.text(node.body, foldsCase)).join("");
      }
      case "group": {
        const folds = node.open === "(?i:" || (foldsCase && !node.open.includes("-i"));
        const text = this.text(node.body, folds);
        const number = this.#numbers.get(node);
        if (number !== undefined) this.#captured.set(number, text);
        if (node.open === "(?<x>") this.#captured.set("x", text);
        return text;
      }
      case "look": {
        if (node.open.endsWith("!")) return "";
        const isFirst = this.#isFirst;
        const seen = this.text(node.body, foldsCase);
        if (node.open === "(?<=") return isFirst || this.#random() < 0.3 ? seen : "";
        this.ahead.push(seen);
        return "";
      }
      case "reference":
        return this.#captured.get(node.to) ?? "";
      case "edge":
        return "";
    }
  }

  #fold(text: string, foldsCase: boolean): string {
    this.#isFirst = false;
    if (!foldsCase) return text;
    const fold = this.#random();
    if (fold < 0.2 && text.toLowerCase() === "s") return "\u017f";
    if (fold < 0.2 && text.toLowerCase() === "k") return "\u212a";
    return fold < 0.5 ? text.toUpperCase() : text.toLowerCase();
  }
}

function pick<T>(from: readonly T[], random: Random): T {
  return from[Math.floor(random() * from.length)] as T;
}

/** The same numbers for the same seed, so that a failure can be run again. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Turns YAML nodes into frozen plain data and a map of where each part stands, counting what aliases repeat.
 */
import { isAlias, isMap, isPair, isScalar, isSeq, type Pair, type ParsedNode, type YAMLMap } from "yaml";
import type { Json } from "../../../core/input/json.ts";
import { shownName, visible } from "../../../core/text/visible.ts";
import type { Place } from "./read-yaml.ts";
import { explainStar } from "./yaml-error.ts";

/** Where a value starts, and where its parts do. */
export interface Spot {
  readonly offset: number;
  readonly members?: ReadonlyMap<string, { readonly keyOffset: number; readonly spot: Spot }>;
  readonly items?: readonly Spot[];
}

export type TakenYaml =
  | {
      readonly ok: true;
      readonly value: Json;
      readonly spot: Spot;
      /** Keys that stand twice; the first of each is in the value. Any of them: the file is wrong. */
      readonly repeated: readonly YamlRefusal[];
    }
  | ({ readonly ok: false } & YamlRefusal);

export interface YamlRefusal {
  readonly offset: number;
  readonly message: (at: (offset: number) => Place) => string;
  /** Without a word of the file. */
  readonly plain: string;
}

interface Limits {
  readonly maxBytes: number;
  readonly maxDepth: number;
  readonly maxValues: number;
}

export function toValue(root: ParsedNode, limits: Limits): TakenYaml {
  const pass = new Pass(limits);
  try {
    const { value, spot } = pass.take(root, 0);
    return { ok: true, value, spot, repeated: pass.repeated };
  } catch (error) {
    if (error instanceof Refusal) {
      const [earlier] = pass.repeated;
      if (earlier !== undefined) return { ok: false, ...earlier };
      const { offset, told: message, plain } = error;
      return { ok: false, offset, message, plain };
    }
    throw error;
  }
}

/** Only a way out of the recursion; it never leaves this file. */
class Refusal extends Error {
  readonly offset: number;
  readonly told: (at: (offset: number) => Place) => string;
  readonly plain: string;

  /** `plain` says the same without a word of the file. */
  constructor(offset: number, told: string | ((at: (offset: number) => Place) => string), plain: string) {
    super();
    this.offset = offset;
    this.told = typeof told === "string" ? () => told : told;
    this.plain = plain;
  }
}

interface Taken {
  readonly value: Json;
  readonly spot: Spot;
  /**
   * How many values it is made of, how many characters they hold, how deep they go: what another alias to it
   * would add.
   */
  readonly values: number;
  readonly characters: number;
  readonly height: number;
}

/** After expansion, a file may hold this many times the text it could hold as written. */
const expansion = 4;

/** More of them help nobody. */
const maxRepeated = 50;

/** Tags that only repeat what the text already says. */
const plainTags = new Set(
  ["str", "int", "float", "bool", "null", "map", "seq"].map((name) => `tag:yaml.org,2002:${name}`),
);

class Pass {
  readonly #limits: Limits;
  readonly #anchors = new Map<string, Taken | "open">();
  #values = 0;
  #characters = 0;
  readonly repeated: YamlRefusal[] = [];

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  take(node: ParsedNode, depth: number): Taken {
    const offset = node.range[0];
    if (isAlias(node)) return this.#repeat(node.source, offset, depth);
    if (node.tag !== undefined && !plainTags.has(node.tag)) {
      const tag = visible(node.tag.replace("tag:yaml.org,2002:", "!!"), { maxLength: 60 });
      throw new Refusal(
        offset,
        `The tag ${tag} is not accepted. If it is meant as text, put it in single quotes.`,
        "A tag is not accepted. If it is meant as text, put it in single quotes.",
      );
    }
    const { anchor } = node;
    if (anchor !== undefined) this.#anchors.set(anchor, "open");
    const taken = this.#takePlain(node, offset, depth);
    if (anchor !== undefined) this.#anchors.set(anchor, taken);
    return taken;
  }

  #takePlain(node: ParsedNode, offset: number, depth: number): Taken {
    if (isMap(node) || isSeq(node)) {
      if (depth >= this.#limits.maxDepth) throw tooDeep(offset, this.#limits);
      return isMap(node) ? this.#takeMap(node, offset, depth) : this.#takeList(node.items, offset, depth);
    }
    const value: unknown = isScalar(node) ? node.value : undefined;
    if (typeof value === "number" && !Number.isFinite(value))
      throw new Refusal(offset, `${value} is not a number that can be used here.`, notUsable);
    if (!["string", "number", "boolean"].includes(typeof value) && value !== null)
      throw new Refusal(offset, "This is a value that JSON does not know; put it in quotes.", notUsable);
    const characters = typeof value === "string" ? value.length : 8;
    this.#count(1, characters, offset, false);
    // -0 is 0.
    const plain = typeof value === "number" ? value + 0 : (value as Json);
    return { value: plain, spot: { offset }, values: 1, characters, height: 0 };
  }

  #takeList(nodes: readonly unknown[], offset: number, depth: number): Taken {
    this.#count(1, 2, offset, false);
    const value: Json[] = [];
    const items: Spot[] = [];
    let [values, characters, height] = [1, 2, 0];
    for (const node of nodes) {
      // In `[a: b]` a pair stands where a value does.
      const taken = isPair(node)
        ? this.#takePairs([node as Pair<ParsedNode, ParsedNode | null>], keyOffset(node, offset), depth + 1)
        : this.take(node as ParsedNode, depth + 1);
      value.push(taken.value);
      items.push(taken.spot);
      values += taken.values;
      characters += taken.characters;
      height = Math.max(height, taken.height);
    }
    return { value: Object.freeze(value), spot: { offset, items }, values, characters, height: height + 1 };
  }

  #takeMap(node: YAMLMap<ParsedNode, ParsedNode | null>, offset: number, depth: number): Taken {
    return this.#takePairs(node.items as Pair<ParsedNode, ParsedNode | null>[], offset, depth);
  }

  #takePairs(pairs: readonly Pair<ParsedNode, ParsedNode | null>[], offset: number, depth: number): Taken {
    this.#count(1, 2, offset, false);
    const value: Record<string, Json> = {};
    const members = new Map<string, { keyOffset: number; spot: Spot }>();
    const again = new Set<string>();
    let [values, characters, height] = [1, 2, 0];
    for (const pair of pairs) {
      const at = keyOffset(pair, offset);
      const key = takeKey(pair.key, at);
      const before = members.get(key);
      if (before !== undefined) {
        if (!again.has(key) && this.repeated.length < maxRepeated)
          this.repeated.push({
            offset: at,
            message: (placeOf) =>
              `The key ${shownName(key)} is already in line ${placeOf(before.keyOffset).line}; keep one of the two.`,
            plain: "A key stands here for the second time; keep one of the two.",
          });
        again.add(key);
        continue;
      }
      const taken =
        pair.value === null
          ? { value: null, spot: { offset: at }, values: 1, characters: 8, height: 0 }
          : this.take(pair.value, depth + 1);
      value[key] = taken.value;
      members.set(key, { keyOffset: at, spot: taken.spot });
      this.#count(0, key.length, at, false);
      values += taken.values;
      characters += taken.characters + key.length;
      height = Math.max(height, taken.height);
    }
    return { value: Object.freeze(value), spot: { offset, members }, values, characters, height: height + 1 };
  }

  #repeat(name: string, offset: number, depth: number): Taken {
    const taken = this.#anchors.get(name);
    if (taken === "open")
      throw new Refusal(
        offset,
        `*${visible(name, { maxLength: 40 })} would contain itself.`,
        "An alias would contain itself.",
      );
    if (taken === undefined) throw new Refusal(offset, explainStar(`*${name}`), explainStar("*"));
    if (depth + taken.height > this.#limits.maxDepth) throw tooDeep(offset, this.#limits);
    this.#count(taken.values, taken.characters, offset, true);
    return { ...taken, spot: { ...taken.spot, offset } };
  }

  #count(values: number, characters: number, offset: number, repeated: boolean): void {
    this.#values += values;
    this.#characters += characters;
    const { maxValues, maxBytes } = this.#limits;
    if (this.#values <= maxValues && this.#characters <= maxBytes * expansion) return;
    const message = repeated
      ? "Aliases (*name) repeat so much that the file is too large; write less of it."
      : `The file holds more than ${maxValues} values; split it into several files.`;
    throw new Refusal(offset, message, message);
  }
}

const notUsable = "This is a value that cannot be used here; put it in quotes.";

function tooDeep(offset: number, { maxDepth }: Limits): Refusal {
  const message = `The file is nested deeper than ${maxDepth} levels.`;
  return new Refusal(offset, message, message);
}

function keyOffset(pair: unknown, otherwise: number): number {
  const key = (pair as Pair<ParsedNode | null>).key;
  return key?.range?.[0] ?? otherwise;
}

function takeKey(key: ParsedNode | null, offset: number): string {
  const refuse = (message: string, plain = message): Refusal => new Refusal(offset, message, plain);
  if (!isScalar(key) || key.value === null) throw refuse("A key must be text.");
  const { value, type } = key;
  if (typeof value !== "string") {
    const shown = visible(String(key.source ?? value), { maxLength: 40 });
    throw refuse(
      `The key ${shown} is not text; put it in quotes: "${shown}":`,
      "A key is not text; put it in quotes.",
    );
  }
  if (key.tag !== undefined && !plainTags.has(key.tag)) throw refuse("A key takes no tag.");
  // Assigned to an object it would replace its prototype. `constructor` and `prototype` are keys like any
  // other.
  if (value === "__proto__") throw refuse('The key "__proto__" is not accepted.');
  if (value === "<<" && type === "PLAIN")
    throw refuse("Merge keys (<<) are not supported; write the keys out.");
  return value;
}

/**
 * Reads the text of a JSON file into plain data that knows where each part stands: many times faster than the
 * YAML reader, and only JSON.
 */
import type { Json } from "../../../core/input/json.ts";
import { shownName } from "../../../core/text/visible.ts";
import { takeJson } from "../../schema/json-guard.ts";
import { explainBadText, placesIn, withoutMark } from "./file-text.ts";
import { findJsonError } from "./json-error.ts";
import { offsetOf, type Place, YAML_LIMITS, type YamlFile, type YamlLimits } from "./read-yaml.ts";
import type { Spot } from "./yaml-value.ts";

export function readJson(text: string, limits: YamlLimits = {}): YamlFile {
  const { maxBytes, maxDepth, maxValues } = { ...YAML_LIMITS, ...limits };
  const bad = explainBadText(text, maxBytes);
  if (bad !== undefined) return { ok: false, problem: bad };
  const source = withoutMark(text);
  let at: ((offset: number) => Place) | undefined;
  const placeAt = (offset: number): Place => {
    at ??= placesIn(source);
    return at(offset);
  };
  const refuse = (offset: number, message: string): YamlFile => ({
    ok: false,
    problem: { ...placeAt(offset), message },
  });
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    const { offset, message } = findJsonError(source);
    return refuse(offset, `The file is not valid JSON: ${message}.`);
  }
  const taken = takeJson(value, { maxDepth, maxKeys: maxValues, maxBytes: maxBytes * 4 });
  if (!taken.ok) return refuse(0, `The file cannot be taken: ${taken.message}.`);
  const scan = new Scan(source);
  const spot = scan.spot();
  const { repeated } = scan;
  if (repeated !== undefined)
    return refuse(
      repeated.offset,
      `The key ${shownName(repeated.key)} is already in line ${placeAt(repeated.before).line}; keep one of the two.`,
    );
  return {
    ok: true,
    value: taken.value as Json,
    placeOf: (path, part = "value") => placeAt(offsetOf(spot, path, part)),
  };
}

/** Over text that is JSON and not too deep: it only has to find where things start. */
class Scan {
  readonly #text: string;
  #offset = 0;
  /** JSON.parse keeps the last of two equal keys, a person reads the first. */
  repeated: { readonly key: string; readonly offset: number; readonly before: number } | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  spot(): Spot {
    const offset = this.#next();
    const character = this.#text.charCodeAt(offset);
    if (character === openBrace) return this.#members(offset);
    if (character === openBracket) return this.#items(offset);
    if (character === quote) this.#skipText();
    else
      while (this.#offset < this.#text.length && !isEnd(this.#text.charCodeAt(this.#offset))) this.#offset++;
    return { offset };
  }

  #members(offset: number): Spot {
    const members = new Map<string, { keyOffset: number; spot: Spot }>();
    this.#offset++;
    while (this.#text.charCodeAt(this.#next()) !== closeBrace) {
      if (this.#text.charCodeAt(this.#offset) === comma) this.#offset++;
      const keyOffset = this.#next();
      this.#skipText();
      const key = JSON.parse(this.#text.slice(keyOffset, this.#offset)) as string;
      const before = members.get(key);
      if (before !== undefined) this.repeated ??= { key, offset: keyOffset, before: before.keyOffset };
      this.#next();
      this.#offset++;
      members.set(key, { keyOffset, spot: this.spot() });
    }
    this.#offset++;
    return { offset, members };
  }

  #items(offset: number): Spot {
    const items: Spot[] = [];
    this.#offset++;
    while (this.#text.charCodeAt(this.#next()) !== closeBracket) {
      if (this.#text.charCodeAt(this.#offset) === comma) this.#offset++;
      items.push(this.spot());
    }
    this.#offset++;
    return { offset, items };
  }

  /** The next character that is no blank. */
  #next(): number {
    while (isBlank(this.#text.charCodeAt(this.#offset))) this.#offset++;
    return this.#offset;
  }

  #skipText(): void {
    for (this.#offset++; this.#text.charCodeAt(this.#offset) !== quote; this.#offset++)
      if (this.#text.charCodeAt(this.#offset) === backslash) this.#offset++;
    this.#offset++;
  }
}

const [quote, comma, backslash] = [34, 44, 92];
const [openBrace, closeBrace, openBracket, closeBracket] = [123, 125, 91, 93];

function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

function isEnd(code: number): boolean {
  return isBlank(code) || code === comma || code === closeBrace || code === closeBracket;
}

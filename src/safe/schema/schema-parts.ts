/** Replaces the parts of a schema that the validator would check without a bound. */

import { Format } from "typebox/format";
import { canonicalJson } from "../../core/input/canonical-json.ts";
import type { Json, JsonObject } from "../../core/input/json.ts";
import type { SafePattern } from "../../core/ports/pattern.ts";
import { compileForeignPattern, compilePattern } from "../regex/safe-regex.ts";

const MAX_UNIQUE_ITEMS = 1_000;
const MAX_FORMAT_CHARS = 4_096;

/** Set while a pattern could not decide: then "not valid" only means "not known to be valid". */
export interface Doubt {
  raised: boolean;
}

type Writable = Record<string, unknown>;

/** Native regular expressions, hashing of long lists, formats: changes the node in place. */
export function makeSafe(
  node: Writable,
  path: string,
  foreign: boolean,
  doubt: Doubt,
): { message?: string; slow: boolean } {
  const compile = foreign ? compileForeignPattern : compilePattern;
  const checks: Refinement[] = [];
  let slow = false;
  if (typeof node.pattern === "string") {
    const compiled = compile(node.pattern, "u");
    if (!compiled.ok) return { message: `${path}/pattern: ${compiled.message}`, slow };
    node.pattern = new BoundedRegExp(compiled.pattern, doubt);
    slow ||= !compiled.pattern.linear;
  }
  if (typeof node.patternProperties === "object") {
    const replaced = safePatternProperties(node.patternProperties as JsonObject, compile);
    if (typeof replaced === "string") return { message: `${path}/patternProperties: ${replaced}`, slow };
    // The validator runs these by native RegExp, so the whole check gets a budget that can interrupt it.
    slow = true;
  }
  if (node.uniqueItems === true) {
    delete node.uniqueItems;
    checks.push(UNIQUE_ITEMS);
  }
  if (typeof node.format === "string") {
    const format = node.format;
    delete node.format;
    if (Format.Has(format)) checks.push(formatCheck(format));
  }
  if (checks.length > 0) node["~refine"] = checks;
  else delete node["~refine"];
  return { slow };
}

function safePatternProperties(map: JsonObject, compile: typeof compilePattern): string | undefined {
  const sources: string[] = [];
  for (const source of Object.keys(map)) {
    const compiled = compile(source, "u");
    if (!compiled.ok) return compiled.message;
    if (compiled.pattern.flags !== "u" || /\\[1-9k]/.test(source))
      return `/${source.slice(0, 80)}/: flags and back-references do not work for names`;
    if (
      compiled.pattern.source !== source &&
      source !== "" &&
      compiled.pattern.source !== source.replaceAll("/", "\\/")
    ) {
      return `/${source.slice(0, 80)}/: write it in JavaScript syntax`;
    }
    sources.push(source);
  }
  // The validator joins them into one expression, which must be as harmless as each of them.
  const joined = compile(sources.map((source) => `(?:${source})`).join("|"), "u");
  return joined.ok ? undefined : joined.message;
}

interface Refinement {
  readonly check: (value: unknown) => boolean;
  readonly error: (value: unknown) => string;
}

const UNIQUE_ITEMS: Refinement = {
  check: (value) => {
    if (!Array.isArray(value)) return true;
    if (value.length > MAX_UNIQUE_ITEMS) return false;
    return new Set(value.map((item: Json) => canonicalJson(item))).size === value.length;
  },
  error: (value) =>
    Array.isArray(value) && value.length > MAX_UNIQUE_ITEMS
      ? `at most ${MAX_UNIQUE_ITEMS} items, because they must all be different and longer lists are not compared`
      : "items that are all different",
};

function formatCheck(format: string): Refinement {
  return {
    check: (value) =>
      typeof value !== "string" || (value.length <= MAX_FORMAT_CHARS && Format.Test(format, value)),
    error: (value) =>
      typeof value === "string" && value.length > MAX_FORMAT_CHARS
        ? `at most ${MAX_FORMAT_CHARS} characters for the format "${format}"`
        : `text in the format "${format}"`,
  };
}

/** The validator only ever calls `test`; being a RegExp is how it knows a pattern that is no text. */
class BoundedRegExp extends RegExp {
  readonly #pattern: SafePattern;
  readonly #doubt: Doubt;

  constructor(pattern: SafePattern, doubt: Doubt) {
    super("(?!)");
    this.#pattern = pattern;
    this.#doubt = doubt;
  }

  override test(text: string): boolean {
    const found = this.#pattern.test(text);
    if (found === undefined) this.#doubt.raised = true;
    return found === true;
  }

  override toString(): string {
    return `/${this.#pattern.source}/`;
  }
}

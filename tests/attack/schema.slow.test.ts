/** Schemas written by a stranger to freeze, crash or mislead the process that checks by them. */

import { Compile } from "typebox/schema";
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/core/input/json.ts";
import type { JsonSchema, ValidationResult } from "../../src/core/tool/schema.ts";
import { compileJsonSchema } from "../../src/safe/schema/json-schema.ts";
import { processorMs } from "../processor-time.ts";

type CompileSchema = (
  schema: JsonSchema,
) =>
  | { readonly ok: true; readonly validate: (value: Json) => ValidationResult }
  | { readonly ok: false; readonly message: string };

interface Attack {
  readonly name: string;
  readonly schema: unknown;
  readonly value: Json;
}

/** Compile and check together, in processor time: 250 ms and 100 ms of budget, and some air. */
const LONGEST_STALL_MS = 500;

const nest = (
  depth: number,
  wrap: (inner: unknown) => unknown,
  inner: unknown = { type: "string" },
): unknown => Array.from({ length: depth }).reduce((schema) => wrap(schema), inner);
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const named = (count: number, make: (index: number) => unknown): Record<string, unknown> =>
  Object.fromEntries(many(count, (index) => [`p${index}`, make(index)]));
const chain = (keyword: string, width: number, length: number) => ({
  $ref: "#/$defs/p0",
  $defs: named(length + 1, (index) =>
    index === length
      ? { type: "string", minLength: 9 }
      : { [keyword]: many(width, () => ({ $ref: `#/$defs/p${index + 1}` })) },
  ),
});
const deepValue = (depth: number): Json =>
  Array.from({ length: depth }).reduce<Json>((value) => ({ a: value }), 1);
const objects = many(20_000, (index) => ({ id: index, name: "same" }));
const longText = `${"a".repeat(28)}!`;
const catastrophic = [
  "^(a+)+$",
  "^(a|a)*$",
  "^(a|aa)+$",
  "^([a-z]+)*$",
  "^(\\w+\\s?)*$",
  "^(a*)*$",
  "(a+)+b",
  "^(.*?,){5}P",
];
const lookAround = ["^(?=(a+)+$)", "^(?!(a+)+$)b", "(?<=(a+)+)b", "^(a+)+\\1$", "^(?<x>a+)+\\k<x>$"];

const attacks: Attack[] = [
  ...catastrophic.map((pattern) => ({
    name: `pattern ${pattern}`,
    schema: { type: "string", pattern },
    value: longText,
  })),
  ...lookAround.map((pattern) => ({
    name: `pattern ${pattern}`,
    schema: { type: "string", pattern },
    value: longText,
  })),
  ...catastrophic.slice(0, 3).map((pattern) => ({
    name: `names by ${pattern}`,
    schema: { patternProperties: { [pattern]: { type: "number" } }, additionalProperties: false },
    value: { [longText]: 1 },
  })),
  ...["anyOf", "oneOf", "allOf"].map((keyword) => ({
    name: `doubling ${keyword}`,
    schema: chain(keyword, 2, 40),
    value: "x",
  })),
  ...["anyOf", "oneOf", "allOf"].map((keyword) => ({
    name: `wide ${keyword}`,
    schema: chain(keyword, 20, 10),
    value: "x",
  })),
  {
    name: "recursion that doubles at each level",
    schema: {
      anyOf: [
        { type: "object", properties: { a: { $ref: "#" } }, required: ["a", "b"] },
        { type: "object", properties: { a: { $ref: "#" } }, required: ["a", "c"] },
        { type: "string" },
      ],
    },
    value: deepValue(40),
  },
  { name: "not inside not", schema: nest(63, (not) => ({ not })), value: 1 },
  { name: "depth 500", schema: nest(500, (a) => ({ properties: { a } })), value: {} },
  { name: "depth 5,000", schema: nest(5_000, (items) => ({ items })), value: [] },
  { name: "2,001 sub-schemas", schema: { properties: named(2_001, () => ({ type: "string" })) }, value: {} },
  {
    name: "5,000 properties",
    schema: { type: "object", properties: named(5_000, () => ({ type: "string" })) },
    value: {},
  },
  {
    name: "1,900 properties in one closed object",
    schema: {
      type: "object",
      properties: named(1_900, () => ({ type: "string" })),
      additionalProperties: false,
    },
    value: named(5_000, () => "x") as Json,
  },
  { name: "uniqueItems on 20,000 objects", schema: { type: "array", uniqueItems: true }, value: objects },
  {
    name: "uniqueItems inside items",
    schema: { items: { uniqueItems: true } },
    value: many(50, () => objects.slice(0, 900)),
  },
  {
    name: "contains inside contains",
    schema: nest(20, (contains) => ({ contains, minContains: 1 })),
    value: many(3_000, () => [many(20, () => [1])]),
  },
  {
    name: "an enum of 20,000 texts",
    schema: { items: { enum: many(20_000, (index) => `value ${index}`) } },
    value: many(20_000, () => "none"),
  },
  {
    name: "an enum of 3,000 objects",
    schema: { items: { enum: many(3_000, (index) => ({ a: { b: [index] } })) } },
    value: many(2_000, () => ({ a: { b: [-1] } })),
  },
  { name: "a deep const", schema: { const: deepValue(60) }, value: deepValue(60) },
  { name: "a const deeper than the stack", schema: { const: deepValue(5_000) }, value: 1 },
  {
    name: "1,900 references to one definition",
    schema: { properties: named(1_900, () => ({ $ref: "#/$defs/x" })), $defs: { x: { type: "string" } } },
    value: {},
  },
  {
    name: "900 definitions in a row",
    schema: {
      $ref: "#/$defs/p0",
      $defs: named(900, (index) => (index === 899 ? true : { $ref: `#/$defs/p${index + 1}` })),
    },
    value: 1,
  },
  { name: "a reference to itself", schema: { $ref: "#" }, value: 1 },
  {
    name: "a reference in a circle",
    schema: {
      $ref: "#/$defs/a",
      $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } },
    },
    value: 1,
  },
  { name: "a remote reference", schema: { $ref: "http://127.0.0.1:9/schema.json" }, value: 1 },
  { name: "a file reference", schema: { $ref: "file:///etc/passwd" }, value: 1 },
  { name: "a remote reference through $id", schema: { $id: "http://127.0.0.1:9/a", $ref: "b" }, value: 1 },
  {
    name: "a dynamic reference without end",
    schema: { $dynamicAnchor: "x", anyOf: [{ $dynamicRef: "#x" }] },
    value: 1,
  },
  {
    name: "a recursive reference",
    schema: { $recursiveAnchor: true, not: { $recursiveRef: "#" } },
    value: 1,
  },
  {
    name: "a name hidden in data",
    schema: { $ref: "#x", default: { $anchor: "x", pattern: "^(a+)+$" } },
    value: longText,
  },
  {
    name: "a dynamic name hidden in a const",
    schema: { $dynamicRef: "#x", const: { $dynamicAnchor: "x", pattern: "^(?=(a+)+$)" } },
    value: longText,
  },
  {
    name: "dynamic names that multiply the schema",
    schema: {
      $ref: "r0",
      $defs: named(40, (index) => ({
        $id: `r${index}`,
        anyOf: many(40, (name) =>
          name % 2 === 0
            ? { $ref: `r${(index + name + 1) % 40}` }
            : { items: { $dynamicRef: `#n${name % 7}` } },
        ),
        $defs: named(7, (name) => ({
          $dynamicAnchor: `n${name}`,
          items: { $ref: `r${(index * 3 + name) % 40}` },
        })),
      })),
    },
    value: [[[[1]]]],
  },
  {
    name: "dynamic names that multiply along the items",
    schema: {
      $ref: "r0",
      $defs: named(60, (index) => ({
        $id: `r${index}`,
        items: { anyOf: many(20, (name) => ({ $ref: `r${(index * 7 + name * 11 + 1) % 60}` })) },
        contains: { $dynamicRef: "#n0" },
        $defs: {
          own: { $dynamicAnchor: `n${index % 12}`, items: { $dynamicRef: `#n${index % 12}` } },
          zero: index % 12 === 0 ? true : { $dynamicAnchor: "n0" },
        },
      })),
    },
    value: [[[[1]]]],
  },
  {
    name: "every sub-schema referred to at every depth",
    schema: {
      properties: {
        deep: nest(60, (items) => ({ items })),
        ...named(60, (depth) => ({ $ref: `#/properties/deep${"/items".repeat(depth)}` })),
      },
    },
    value: { deep: [] },
  },
  {
    name: "a pattern behind an unusual pointer",
    schema: { $ref: "#/examples/0", examples: [{ pattern: "^(?=(a+)+$)" }] },
    value: longText,
  },
  { name: "a broken percent code in a reference", schema: { $ref: "#/%E0%A4%A" }, value: 1 },
  {
    name: "a prototype by name",
    schema: {
      properties: { constructor: { type: "string" }, toString: { type: "string" } },
      required: ["toString"],
    },
    value: {},
  },
  { name: "a prototype by reference", schema: { $ref: "#/__proto__" }, value: 1 },
  { name: "a format on a long text", schema: { format: "email" }, value: `${"a.".repeat(100_000)}@` },
  { name: "a uri on a long text", schema: { format: "uri" }, value: `http://${"%41:@".repeat(50_000)}` },
  { name: "a regex format", schema: { format: "regex" }, value: "(".repeat(100_000) },
  {
    name: "lengths of a long text",
    schema: { minLength: 3_000_000, maxLength: 3_900_000 },
    value: "\u{1f600}".repeat(900_000),
  },
  { name: "multipleOf a tiny number", schema: { multipleOf: 1e-300 }, value: 1e300 },
  {
    name: "unevaluated everywhere",
    schema: nest(
      40,
      (inner) => ({ allOf: [inner, { properties: { a: true } }], unevaluatedProperties: false }),
      true,
    ),
    value: named(2_000, () => 1) as Json,
  },
  {
    name: "code in a property name",
    schema: {
      properties: {
        "a']);globalThis.pwned=1;//": { type: "string" },
        // biome-ignore lint/suspicious/noTemplateCurlyInString: text that would be code if it were pasted into code
        '"`${globalThis.pwned=1}': { const: "`${globalThis.pwned=1}" },
      },
    },
    value: { "a']);globalThis.pwned=1;//": 1 },
  },
  {
    name: "code in a key of an enum",
    schema: { enum: [{ "\u2028*/globalThis.pwned=1;/*": "\\" }] },
    value: 1,
  },
  { name: "text", schema: "string", value: 1 },
  { name: "a number", schema: 3, value: 1 },
  { name: "null", schema: null, value: 1 },
  { name: "a list", schema: [{ type: "string" }], value: 1 },
  {
    name: "a getter",
    schema: Object.defineProperty({}, "type", { enumerable: true, get: () => "string" }),
    value: 1,
  },
  {
    name: "a proxy",
    schema: new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("boom");
        },
      },
    ),
    value: 1,
  },
  { name: "functions", schema: { "~refine": [{ check: () => true, error: () => "" }] }, value: 1 },
  {
    name: "refinements as data",
    schema: { type: "string", "~refine": [{ check: {}, error: {} }] },
    value: 1,
  },
  { name: "two megabytes", schema: { description: "x".repeat(2_000_000) }, value: 1 },
];

/** Values that must not pass, whatever happens to time or patterns. */
const neverValid: { schema: JsonSchema; value: Json }[] = [
  { schema: { not: { pattern: "^(?=(a+)+$)" } }, value: `${"a".repeat(25)}!` },
  { schema: { anyOf: [{ not: { pattern: "^(?=(a+)+$)" } }, false] }, value: `${"a".repeat(25)}!` },
  {
    schema: { not: { patternProperties: { "^(a+)+$": { type: "number" } } } },
    value: { [`${"a".repeat(25)}!`]: 1 },
  },
  {
    schema: { uniqueItems: true },
    value: [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
  },
  { schema: { type: "string", pattern: "^[a-z]+$" }, value: "A" },
  { schema: { type: "object", required: ["toString"] }, value: {} },
  { schema: { items: { dependentRequired: { a: ["valueOf"] } } }, value: [{ a: 1 }] },
];

function complaints(compile: CompileSchema, list: readonly Attack[]): string[] {
  const found: string[] = [];
  for (const { name, schema, value } of list) {
    const start = processorMs();
    try {
      const compiled = compile(schema as JsonSchema);
      if (compiled.ok) compiled.validate(value);
      else if (compiled.message.length > 600) found.push(`${name}: a message too long to read`);
    } catch (error) {
      found.push(`${name}: threw ${(error as Error).name}`);
    }
    const took = processorMs() - start;
    if (took > LONGEST_STALL_MS) found.push(`${name}: ${Math.round(took)} ms`);
  }
  for (const { schema, value } of neverValid) {
    try {
      const compiled = compile(schema);
      if (compiled.ok && compiled.validate(value).ok) found.push(`accepted: ${JSON.stringify(schema)}`);
    } catch {
      found.push("threw");
    }
  }
  for (const schema of [
    { type: "strng" },
    { $ref: "http://127.0.0.1:9/x" },
    { $ref: "#/nothing" },
  ] as JsonSchema[]) {
    if (compile(schema).ok) found.push(`taken: ${JSON.stringify(schema)}`);
  }
  return found;
}

describe("hostile schemas", () => {
  test("none of them freezes, crashes or misleads the gate", () => {
    expect(attacks.length).toBeGreaterThanOrEqual(60);
    expect(complaints((schema) => compileJsonSchema(schema, { foreign: true }), attacks)).toEqual([]);
    expect((globalThis as { pwned?: unknown }).pwned).toBeUndefined();
  });

  test("the same holds for schemas of our own side", () => {
    expect(
      complaints(
        (schema) => compileJsonSchema(schema),
        attacks.filter(({ name }) =>
          /pattern|names by|doubling|recursion|unusual|lengths|enum|proxy/.test(name),
        ),
      ),
    ).toEqual([]);
  });

  test("a long list that must be unique is refused with a clear message", () => {
    const compiled = compileJsonSchema({ uniqueItems: true });
    const result = compiled.ok ? compiled.validate(many(1_001, (index) => index)) : undefined;
    expect(result?.ok === false && result.issues[0]?.message).toContain("at most 1000 items");
  });

  test("look-around from a stranger is refused, from us it is bounded", () => {
    for (const pattern of lookAround) {
      expect(compileJsonSchema({ pattern }, { foreign: true }).ok).toBe(false);
      const own = compileJsonSchema({ pattern });
      expect(own.ok && own.validate(longText).ok).toBe(false);
    }
  });
});

describe("broken versions that this suite catches", () => {
  const few = attacks.filter(({ name }) => ["pattern ^(?=(a+)+$)", "a proxy", "depth 5,000"].includes(name));
  const small = few.map((attack) =>
    attack.value === longText ? { ...attack, value: `${"a".repeat(26)}!` } : attack,
  );
  const result = (ok: boolean, value: Json): ValidationResult => (ok ? { ok, value } : { ok, issues: [] });
  const mutants: Record<string, CompileSchema> = {
    "the bare validator": (schema) => {
      const validator = Compile(schema as never);
      return { ok: true, validate: (value) => result(validator.Check(value), value) };
    },
    "the bare validator with all errors caught": (schema) => {
      try {
        const validator = Compile(schema as never);
        return { ok: true, validate: (value) => result(validator.Check(value), value) };
      } catch {
        return { ok: false, message: "" };
      }
    },
    "undecided counts as valid": (schema) => {
      const compiled = compileJsonSchema(schema);
      if (!compiled.ok) return compiled;
      return {
        ok: true,
        validate: (value) => {
          const checked = compiled.validate(value);
          return !checked.ok && checked.undecided ? { ok: true, value } : checked;
        },
      };
    },
    "a malformed schema means no check": (schema) => {
      const compiled = compileJsonSchema(schema);
      return compiled.ok ? compiled : { ok: true, validate: (value) => ({ ok: true, value }) };
    },
  };
  test.each(Object.entries(mutants))("%s", (_name, mutant) => {
    expect(complaints(mutant, small)).not.toEqual([]);
  });
});

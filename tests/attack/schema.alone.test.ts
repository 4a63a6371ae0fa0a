/** Schemas written by a stranger to freeze, crash or mislead the process that checks by them. */

import { Compile } from "typebox/schema";
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/core/input/json.ts";
import type { JsonSchema, ValidationResult } from "../../src/core/tool/schema.ts";
import { compileJsonSchema } from "../../src/safe/schema/json-schema.ts";
import { processorMs } from "../processor-time.ts";
import { words } from "../words.ts";

type CompileSchema = (
  schema: JsonSchema,
) =>
  | { readonly ok: true; readonly validate: (value: Json) => ValidationResult }
  | { readonly ok: false; readonly message: string };

type Attack = readonly [name: string, schema: unknown, value: Json];

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
const catastrophic = words("^(a+)+$ ^(a|a)*$ ^(a|aa)+$ ^([a-z]+)*$ ^(\\w+\\s?)*$ ^(a*)*$ (a+)+b ^(.*?,){5}P");
const lookAround = ["^(?=(a+)+$)", "^(?!(a+)+$)b", "(?<=(a+)+)b", "^(a+)+\\1$", "^(?<x>a+)+\\k<x>$"];

const text = { type: "string" };
const throwing = (): never => {
  throw new Error("boom");
};
const texts = (count: number) => named(count, () => text);
const attacks: Attack[] = [
  ...[...catastrophic, ...lookAround].map(
    (pattern): Attack => [`pattern ${pattern}`, { type: "string", pattern }, longText],
  ),
  ...catastrophic.slice(0, 3).map((pattern): Attack => {
    const schema = { patternProperties: { [pattern]: { type: "number" } }, additionalProperties: false };
    return [`names by ${pattern}`, schema, { [longText]: 1 }];
  }),
  ...["anyOf", "oneOf", "allOf"].flatMap((keyword): Attack[] => [
    [`doubling ${keyword}`, chain(keyword, 2, 40), "x"],
    [`wide ${keyword}`, chain(keyword, 20, 10), "x"],
  ]),
  [
    "recursion that doubles at each level",
    {
      anyOf: [
        { type: "object", properties: { a: { $ref: "#" } }, required: ["a", "b"] },
        { type: "object", properties: { a: { $ref: "#" } }, required: ["a", "c"] },
        { type: "string" },
      ],
    },
    deepValue(40),
  ],
  ["not inside not", nest(63, (not) => ({ not })), 1],
  ["depth 500", nest(500, (a) => ({ properties: { a } })), {}],
  ["depth 5,000", nest(5_000, (items) => ({ items })), []],
  ["2,001 sub-schemas", { properties: texts(2_001) }, {}],
  ["5,000 properties", { type: "object", properties: texts(5_000) }, {}],
  [
    "1,900 properties in one closed object",
    { type: "object", properties: texts(1_900), additionalProperties: false },
    named(5_000, () => "x") as Json,
  ],
  ["uniqueItems on 20,000 objects", { type: "array", uniqueItems: true }, objects],
  ["uniqueItems inside items", { items: { uniqueItems: true } }, many(50, () => objects.slice(0, 900))],
  [
    "contains inside contains",
    nest(20, (contains) => ({ contains, minContains: 1 })),
    many(3_000, () => [many(20, () => [1])]),
  ],
  [
    "an enum of 20,000 texts",
    { items: { enum: many(20_000, (index) => `value ${index}`) } },
    many(20_000, () => "none"),
  ],
  [
    "an enum of 3,000 objects",
    { items: { enum: many(3_000, (index) => ({ a: { b: [index] } })) } },
    many(2_000, () => ({ a: { b: [-1] } })),
  ],
  ["a deep const", { const: deepValue(60) }, deepValue(60)],
  ["a const deeper than the stack", { const: deepValue(5_000) }, 1],
  [
    "1,900 references to one definition",
    { properties: named(1_900, () => ({ $ref: "#/$defs/x" })), $defs: { x: text } },
    {},
  ],
  [
    "900 definitions in a row",
    {
      $ref: "#/$defs/p0",
      $defs: named(900, (index) => (index === 899 ? true : { $ref: `#/$defs/p${index + 1}` })),
    },
    1,
  ],
  ["a reference to itself", { $ref: "#" }, 1],
  [
    "a reference in a circle",
    {
      $ref: "#/$defs/a",
      $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } },
    },
    1,
  ],
  ["a remote reference", { $ref: "http://127.0.0.1:9/schema.json" }, 1],
  ["a file reference", { $ref: "file:///etc/passwd" }, 1],
  ["a remote reference through $id", { $id: "http://127.0.0.1:9/a", $ref: "b" }, 1],
  ["a dynamic reference without end", { $dynamicAnchor: "x", anyOf: [{ $dynamicRef: "#x" }] }, 1],
  ["a recursive reference", { $recursiveAnchor: true, not: { $recursiveRef: "#" } }, 1],
  ["a name hidden in data", { $ref: "#x", default: { $anchor: "x", pattern: "^(a+)+$" } }, longText],
  [
    "a dynamic name hidden in a const",
    { $dynamicRef: "#x", const: { $dynamicAnchor: "x", pattern: "^(?=(a+)+$)" } },
    longText,
  ],
  [
    "dynamic names that multiply the schema",
    {
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
    [[[[1]]]],
  ],
  [
    "dynamic names that multiply along the items",
    {
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
    [[[[1]]]],
  ],
  [
    "every sub-schema referred to at every depth",
    {
      properties: {
        deep: nest(60, (items) => ({ items })),
        ...named(60, (depth) => ({ $ref: `#/properties/deep${"/items".repeat(depth)}` })),
      },
    },
    { deep: [] },
  ],
  [
    "a pattern behind an unusual pointer",
    { $ref: "#/examples/0", examples: [{ pattern: "^(?=(a+)+$)" }] },
    longText,
  ],
  ["a broken percent code in a reference", { $ref: "#/%E0%A4%A" }, 1],
  ["a prototype by name", { properties: { constructor: text, toString: text }, required: ["toString"] }, {}],
  ["a prototype by reference", { $ref: "#/__proto__" }, 1],
  ["a format on a long text", { format: "email" }, `${"a.".repeat(100_000)}@`],
  ["a uri on a long text", { format: "uri" }, `http://${"%41:@".repeat(50_000)}`],
  ["a regex format", { format: "regex" }, "(".repeat(100_000)],
  ["lengths of a long text", { minLength: 3_000_000, maxLength: 3_900_000 }, "\u{1f600}".repeat(900_000)],
  ["multipleOf a tiny number", { multipleOf: 1e-300 }, 1e300],
  [
    "unevaluated everywhere",
    nest(
      40,
      (inner) => ({ allOf: [inner, { properties: { a: true } }], unevaluatedProperties: false }),
      true,
    ),
    named(2_000, () => 1) as Json,
  ],
  [
    "code in a property name",
    {
      properties: {
        "a']);globalThis.pwned=1;//": text,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: text that would be code if it were pasted into code
        '"`${globalThis.pwned=1}': { const: "`${globalThis.pwned=1}" },
      },
    },
    { "a']);globalThis.pwned=1;//": 1 },
  ],
  ["code in a key of an enum", { enum: [{ "\u2028*/globalThis.pwned=1;/*": "\\" }] }, 1],
  ["text", "string", 1],
  ["a number", 3, 1],
  ["null", null, 1],
  ["a list", [text], 1],
  ["a getter", Object.defineProperty({}, "type", { enumerable: true, get: () => "string" }), 1],
  ["a proxy", new Proxy({}, { ownKeys: throwing }), 1],
  ["functions", { "~refine": [{ check: () => true, error: () => "" }] }, 1],
  ["refinements as data", { type: "string", "~refine": [{ check: {}, error: {} }] }, 1],
  ["two megabytes", { description: "x".repeat(2_000_000) }, 1],
];

/** Values that must not pass, whatever happens to time or patterns. */
const neverValid: [schema: JsonSchema, value: Json][] = [
  [{ not: { pattern: "^(?=(a+)+$)" } }, `${"a".repeat(25)}!`],
  [{ anyOf: [{ not: { pattern: "^(?=(a+)+$)" } }, false] }, `${"a".repeat(25)}!`],
  [{ not: { patternProperties: { "^(a+)+$": { type: "number" } } } }, { [`${"a".repeat(25)}!`]: 1 }],
  [{ uniqueItems: true }, [JSON.parse('{"a":1,"b":2}'), JSON.parse('{"b":2,"a":1}')]],
  [{ type: "string", pattern: "^[a-z]+$" }, "A"],
  [{ type: "object", required: ["toString"] }, {}],
  [{ items: { dependentRequired: { a: ["valueOf"] } } }, [{ a: 1 }]],
];
/** Schemas that must not be taken. */
const neverTaken: JsonSchema[] = [{ type: "strng" }, { $ref: "http://127.0.0.1:9/x" }, { $ref: "#/nothing" }];

function complaints(compile: CompileSchema, list: readonly Attack[]): string[] {
  const found: string[] = [];
  for (const [name, schema, value] of list) {
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
  for (const [schema, value] of neverValid) {
    try {
      const compiled = compile(schema);
      if (compiled.ok && compiled.validate(value).ok) found.push(`accepted: ${JSON.stringify(schema)}`);
    } catch {
      found.push("threw");
    }
  }
  for (const schema of neverTaken) if (compile(schema).ok) found.push(`taken: ${JSON.stringify(schema)}`);
  return found;
}

describe("hostile schemas", () => {
  test("none of them freezes, crashes or misleads the gate", () => {
    expect(attacks.length).toBeGreaterThanOrEqual(60);
    expect(complaints((schema) => compileJsonSchema(schema, { foreign: true }), attacks)).toEqual([]);
    expect((globalThis as { pwned?: unknown }).pwned).toBeUndefined();
  });

  test("the same holds for schemas of our own side", () => {
    const some = /pattern|names by|doubling|recursion|unusual|lengths|enum|proxy/;
    const own = attacks.filter(([name]) => some.test(name));
    expect(complaints((schema) => compileJsonSchema(schema), own)).toEqual([]);
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
  const few = attacks.filter(([name]) => ["pattern ^(?=(a+)+$)", "a proxy", "depth 5,000"].includes(name));
  const small = few.map(
    ([name, schema, value]): Attack => [name, schema, value === longText ? `${"a".repeat(26)}!` : value],
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

import * as v from "valibot";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import type { Json } from "../../../../src/core/input/json.ts";
import type {
  InferInput,
  InferOutput,
  JsonSchema,
  Schema,
  StandardSchema,
} from "../../../../src/core/tool/schema.ts";
import { compileJsonSchema } from "../../../../src/safe/schema/json-schema.ts";
import {
  compileSchema,
  compileStandardSchema,
  toJsonSchema,
} from "../../../../src/safe/schema/standard-schema.ts";

function validator(schema: JsonSchema, options?: { foreign?: boolean }) {
  const compiled = compileJsonSchema(schema, options);
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.validate;
}

const accepts = (schema: JsonSchema, value: Json) => validator(schema, { foreign: true })(value).ok;
const refusal = (schema: JsonSchema) => {
  const compiled = compileJsonSchema(schema, { foreign: true });
  return compiled.ok ? undefined : compiled.message;
};

function messages(schema: JsonSchema, value: Json): readonly string[] {
  const result = validator(schema)(value);
  return result.ok ? [] : result.issues.map((issue) => issue.message);
}

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";
const order: JsonSchema = {
  type: "object",
  properties: {
    count: { type: "integer", minimum: 1 },
    name: { type: "string", maxLength: 3, pattern: "^[a-z]+$" },
    mail: { type: "string", format: "email" },
    tags: { type: "array", uniqueItems: true, items: { anyOf: [{ type: "string" }, { type: "number" }] } },
    kind: { enum: ["a", "b"] },
  },
  required: ["count", "name"],
  additionalProperties: false,
};

describe("compileJsonSchema", () => {
  test("accepts what fits and returns the value", () => {
    const value = { count: 1, name: "abc", mail: "a@b.example", tags: ["x", 1], kind: "a" };
    expect(validator(order)(value)).toEqual({ ok: true, value });
  });

  const one = { count: 1, name: "a" };
  test.each<[string, Json, string]>([
    ["a wrong type", { ...one, count: "3" }, '$.count: expected integer, received string "3"'],
    ["a missing member", { count: 3 }, "$.name: expected string (required), received nothing"],
    [
      "an unknown member",
      { ...one, "x y": 1 },
      '$["x y"]: expected no such property (known: count, name, mail, tags, kind), received number 1',
    ],
    ["a bound", { ...one, count: 0 }, "$.count: expected a number >= 1, received number 0"],
    ["a pattern", { ...one, name: "A" }, '$.name: expected text matching /^[a-z]+$/, received string "A"'],
    ["a format", { ...one, mail: "x" }, '$.mail: expected text in the format "email", received string "x"'],
    ["a choice", { ...one, tags: [true] }, "$.tags[0]: expected string or number, received boolean true"],
    [
      "equal items",
      { ...one, tags: [1, 1] },
      "$.tags: expected items that are all different, received array of 2 items",
    ],
    ["an enum", { ...one, kind: "c" }, '$.kind: expected one of "a", "b", received string "c"'],
    ["the whole value", null, "$: expected object, received null"],
  ])("says path, expected and received for %s", (_what, value, expected) => {
    expect(messages(order, value)).toEqual([expected]);
  });

  test("cuts long values in messages", () => {
    const [message] = messages({ type: "integer" }, "x".repeat(5_000));
    expect(message?.length).toBeLessThan(140);
  });

  // What the drafts themselves say is tried by their official suite.
  test.each<[string, JsonSchema, Json, Json]>([
    [
      "draft-07 forms without $schema",
      { definitions: { a: { type: "string" } }, items: [{ $ref: "#/definitions/a" }] },
      ["x"],
      [1],
    ],
    [
      "references into unusual places",
      { components: { schemas: { x: { type: "string", pattern: "^a" } } }, $ref: "#/components/schemas/x" },
      "a",
      "b",
    ],
    ["unknown keywords and formats", { "x-note": 1, format: "no-such-format", minLength: 1 }, "x", ""],
  ])("understands %s", (_what, schema, good, bad) => {
    for (const foreign of [false, true]) {
      expect(validator(schema, { foreign })(good).ok).toBe(true);
      expect(validator(schema, { foreign })(bad).ok).toBe(false);
    }
  });

  test.each<[JsonSchema, string]>([
    [{ type: "strng" }, '#/type: "type" must be one of string'],
    [
      { properties: { a: { type: "object", required: true } } },
      '#/properties/a/required: "required" must be a list',
    ],
    [{ items: { anyOf: [] } }, "#/items/anyOf"],
    [{ properties: { a: 3 } }, '#/properties: "properties" must be an object of schemas ("a" is 3)'],
    [{ maximum: "3" }, "#/maximum"],
    [{ minimum: 1, exclusiveMinimum: true }, "#/exclusiveMinimum"],
    [{ pattern: "(" }, "#/pattern: The pattern /(/ is refused"],
    [{ $ref: "https://x.example/y.json" }, "never fetched"],
    [{ $ref: "#/$defs/none" }, "points to nothing"],
    [{ $schema: "https://x.example/my-draft" }, "use 2020-12 or draft-07"],
    [{ $ref: "#" }, "refers to itself"],
    [
      { $defs: { a: { allOf: [{ $ref: "#/$defs/b" }] }, b: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" },
      "refers to itself",
    ],
  ])("refuses a malformed schema and names the place (%#)", (schema, message) => {
    expect(compileJsonSchema(schema)).toMatchObject({ ok: false, message: expect.stringContaining(message) });
  });
});

describe("names inside a schema", () => {
  test("what is referred to in its own place still checks there, and its issues name the fields", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: {
        from: {
          type: "object",
          properties: { city: { type: "string" } },
          required: ["city"],
          additionalProperties: false,
        },
        to: { $ref: "#/properties/from" },
      },
    };
    const compiled = compileJsonSchema(schema);
    const answer = compiled.ok && compiled.validate({ from: {}, to: { town: "x" } });
    expect(answer && !answer.ok && answer.issues.map(({ message }) => message).sort()).toEqual([
      "$.from.city: expected string (required), received nothing",
      "$.to.city: expected string (required), received nothing",
      '$.to.town: expected no such property (known: city), received string "x"',
    ]);
  });

  test.each<[string, JsonSchema, string]>([
    ["two owners of an address", { $defs: { a: { $id: "x" }, b: { $id: "x" } } }, '$id "x" is used twice'],
    [
      "two owners of a name in one resource",
      { $defs: { a: { $anchor: "x" }, b: { $anchor: "x" } } },
      '$anchor "x" is used twice',
    ],
    [
      "a name of another resource",
      { $ref: "#x", $defs: { a: { $id: "a", $anchor: "x" } } },
      "points to nothing in this schema",
    ],
    ["a name inside data", { $ref: "#x", default: { $anchor: "x" } }, "points to nothing in this schema"],
    ["a value to compare with", { const: { type: "string" }, $ref: "#/const" }, "points to nothing"],
    ["another address", { $id: "https://a.example/x", $ref: "y" }, "points outside the schema"],
    ["an $id that is no address", { $defs: { a: { $id: "https://[" } } }, "is no address"],
    [
      "an unknown draft inside",
      { $defs: { a: { $id: "a", $schema: "https://a.example/" } } },
      "which is not known",
    ],
  ])("refuses %s, with the place", (_what, schema, message) => {
    expect(refusal(schema)).toContain(message);
    expect(refusal(schema)).toMatch(/^#/);
  });
});

describe("a schema that says it is draft-07", () => {
  const definitions = { text: { type: "string" } };

  test("checks by nothing beside a $ref", () => {
    const ref = { $ref: "#/definitions/text", maxLength: 1, not: {}, $id: "elsewhere" };
    expect(accepts({ $schema: DRAFT_07, properties: { a: ref }, definitions }, { a: "long" })).toBe(true);
    expect(accepts({ $schema: DRAFT_07, properties: { a: ref }, definitions }, { a: 1 })).toBe(false);
    expect(accepts({ properties: { a: { $ref: ref.$ref, maxLength: 1 } }, definitions }, { a: "long" })).toBe(
      false,
    );
  });

  test("does not know the words of later drafts", () => {
    const contains = { contains: { type: "string" }, minContains: 0 };
    expect(accepts(contains, [])).toBe(true);
    expect(accepts({ $schema: DRAFT_07, ...contains }, [])).toBe(false);
    expect(accepts({ $schema: DRAFT_07, not: { dependentRequired: { a: ["b"] } } }, { a: 1 })).toBe(false);
  });
});

test("patterns of strangers may name Unicode properties in full", () => {
  expect(accepts({ pattern: "^\\p{Letter}+$" }, "größe")).toBe(true);
  expect(accepts({ pattern: "^\\p{Script=Greek}+$" }, "abc")).toBe(false);
  expect(refusal({ pattern: "^(?=\\p{Letter})" })).toContain("look-around");
});

describe("unevaluatedProperties and unevaluatedItems", () => {
  test("what a failing `if` looked at stays unevaluated", () => {
    const schema = { if: { properties: { a: true }, minProperties: 2 }, unevaluatedProperties: false };
    expect(accepts(schema, { a: 1 })).toBe(false);
    expect(accepts({ ...schema, else: { properties: { a: true } } }, { a: 1 })).toBe(true);
    expect(accepts({ if: { prefixItems: [true], minItems: 2 }, unevaluatedItems: false }, [1])).toBe(false);
  });

  test("what `contains` looked at inside of an item says nothing about the list", () => {
    const schema = { contains: { prefixItems: [true, true] }, maxContains: 1, unevaluatedItems: false };
    expect(accepts(schema, [[1, 2]])).toBe(true);
    expect(
      accepts({ contains: { type: "array", prefixItems: [true, true] }, unevaluatedItems: false }, [
        [1, 2],
        3,
      ]),
    ).toBe(false);
  });

  test("what the rest is checked by says nothing about other members", () => {
    const inner = { type: "object", properties: { b: true } };
    expect(accepts({ unevaluatedProperties: inner }, { a: { b: 1 }, b: 5 })).toBe(false);
    expect(accepts({ unevaluatedProperties: inner }, { a: { b: 1 }, b: {} })).toBe(true);
    expect(accepts({ unevaluatedItems: { type: "array", prefixItems: [true, true] } }, [[1, 2], 3])).toBe(
      false,
    );
  });

  test("a branch does not see what was evaluated outside of it", () => {
    const inner = { unevaluatedProperties: false };
    const then = [["if", true] as const, ["then", inner] as const];
    expect(accepts({ properties: { a: true }, ...Object.fromEntries(then) }, { a: 1 })).toBe(false);
    expect(accepts({ properties: { a: true }, if: false, else: inner }, { a: 1 })).toBe(false);
    expect(accepts({ properties: { a: true }, dependentSchemas: { a: inner } }, { a: 1 })).toBe(false);
    expect(accepts({ properties: { a: true }, dependencies: { a: inner } }, { a: 1 })).toBe(false);
    expect(accepts({ dependentSchemas: { a: { properties: { a: true } } }, ...inner }, { a: 1 })).toBe(true);
  });

  test("properties of a list are none", () => {
    expect(accepts({ unevaluatedProperties: false }, [1])).toBe(true);
    expect(accepts({ not: { unevaluatedProperties: false } }, [1])).toBe(false);
    expect(accepts({ unevaluatedProperties: false }, { a: 1 })).toBe(false);
  });
});

describe("Standard Schema", () => {
  const zod = z.object({ a: z.string(), n: z.number().min(3).default(5) });

  test("validates by the library and tells issues in our words", async () => {
    const validate = compileStandardSchema(zod);
    expect(await validate({ a: "x" })).toEqual({ ok: true, value: { a: "x", n: 5 } });
    const wrong = await validate({ a: 1, n: 4 });
    expect(wrong.ok ? [] : wrong.issues[0]).toEqual({
      path: "$.a",
      expected: "string",
      received: "number 1",
      message: "$.a: expected string, received number 1",
    });
  });

  test("waits for schemas that answer later and survives those that throw", async () => {
    const isX = v.checkAsync(async (text: string) => text === "x", "must be x");
    const later = compileStandardSchema(v.objectAsync({ a: v.pipeAsync(v.string(), isX) }));
    expect(await later({ a: "x" })).toMatchObject({ ok: true });
    expect(await later({ a: "y" })).toMatchObject({
      ok: false,
      issues: [{ path: "$.a", message: '$.a: must be x (received string "y")' }],
    });
    const validate = () => {
      throw new Error("boom");
    };
    const broken: StandardSchema = { "~standard": { version: 1, vendor: "x", validate } };
    expect(compileStandardSchema(broken)(1)).toMatchObject({ ok: false, undecided: true });
  });

  test("shows models the JSON Schema of the input", () => {
    expect(toJsonSchema(zod)).toMatchObject({
      ok: true,
      schema: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
    });
    expect(toJsonSchema(v.object({ a: v.string() }))).toMatchObject({
      ok: false,
      message: expect.stringContaining("pass a schema with"),
    });
    expect(compileSchema(zod).ok).toBe(true);
    expect(compileSchema("text" as unknown as Schema)).toMatchObject({
      ok: false,
      message: expect.stringContaining("expected a Standard Schema"),
    });
  });

  test("infers types from zod, valibot and literal JSON Schemas", () => {
    expectTypeOf<InferOutput<typeof zod>>().toEqualTypeOf<{ a: string; n: number }>();
    expectTypeOf<InferInput<typeof zod>>().toEqualTypeOf<{ a: string; n?: number | undefined }>();
    const literal = {
      type: "object",
      properties: { a: { type: "string" }, k: { enum: ["x", "y"] } },
      required: ["a"],
    } as const;
    expectTypeOf<InferOutput<typeof literal>["a"]>().toEqualTypeOf<string>();
    expectTypeOf<InferOutput<typeof literal>["k"]>().toEqualTypeOf<"x" | "y" | undefined>();
    expectTypeOf<InferOutput<JsonSchema>>().toEqualTypeOf<unknown>();
  });
});

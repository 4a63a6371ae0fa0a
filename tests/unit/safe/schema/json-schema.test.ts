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

function messages(schema: JsonSchema, value: Json): readonly string[] {
  const result = validator(schema)(value);
  return result.ok ? [] : result.issues.map((issue) => issue.message);
}

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

  test.each<[string, Json, string[]]>([
    ["a wrong type", { count: "3", name: "a" }, ['$.count: expected integer, received string "3"']],
    ["a missing member", { count: 3 }, ["$.name: expected string (required), received nothing"]],
    [
      "an unknown member",
      { count: 3, name: "a", "x y": 1 },
      ['$["x y"]: expected no such property (known: count, name, mail, tags, kind), received number 1'],
    ],
    ["a bound", { count: 0, name: "a" }, ["$.count: expected a number >= 1, received number 0"]],
    [
      "a pattern",
      { count: 1, name: "A" },
      ['$.name: expected text matching /^[a-z]+$/, received string "A"'],
    ],
    [
      "a format",
      { count: 1, name: "a", mail: "x" },
      ['$.mail: expected text in the format "email", received string "x"'],
    ],
    [
      "a choice",
      { count: 1, name: "a", tags: [true] },
      ["$.tags[0]: expected string or number, received boolean true"],
    ],
    [
      "equal items",
      { count: 1, name: "a", tags: [1, 1] },
      ["$.tags: expected items that are all different, received array of 2 items"],
    ],
    [
      "an enum",
      { count: 1, name: "a", kind: "c" },
      ['$.kind: expected one of "a", "b", received string "c"'],
    ],
    ["the whole value", null, ["$: expected object, received null"]],
  ])("says path, expected and received for %s", (_what, value, expected) => {
    expect(messages(order, value)).toEqual(expected);
  });

  test("cuts long values in messages", () => {
    const [message] = messages({ type: "integer" }, "x".repeat(5_000));
    expect(message?.length).toBeLessThan(140);
  });

  test.each<[string, JsonSchema, Json, Json]>([
    [
      "draft-07 definitions and tuples",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        definitions: { a: { type: "string" } },
        type: "array",
        items: [{ $ref: "#/definitions/a" }],
        additionalItems: false,
      },
      ["x"],
      [1],
    ],
    [
      "draft-07 forms without $schema",
      { definitions: { a: { type: "string" } }, items: [{ $ref: "#/definitions/a" }] },
      ["x"],
      [1],
    ],
    ["dependencies", { dependencies: { a: ["b"], c: { required: ["d"] } } }, { a: 1, b: 1 }, { c: 1 }],
    ["2020-12 prefixItems", { prefixItems: [{ type: "string" }], items: false }, ["x"], ["x", 1]],
    [
      "unevaluatedProperties",
      { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
      { a: 1 },
      { b: 1 },
    ],
    ["anchors", { $defs: { x: { $anchor: "here", type: "string" } }, $ref: "#here" }, "x", 1],
    [
      "references into unusual places",
      { components: { schemas: { x: { type: "string", pattern: "^a" } } }, $ref: "#/components/schemas/x" },
      "a",
      "b",
    ],
    [
      "recursion",
      {
        type: "object",
        properties: { kids: { type: "array", items: { $ref: "#" } }, v: { type: "number" } },
        required: ["v"],
      },
      { v: 1, kids: [{ v: 2 }] },
      { v: 1, kids: [{}] },
    ],
    [
      "embedded resources",
      { $id: "https://x.example/a", $defs: { b: { $id: "b", type: "string" } }, $ref: "b" },
      "x",
      1,
    ],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ["if and then", { if: { required: ["a"] }, then: { required: ["b"] } }, { a: 1, b: 1 }, { a: 1 }],
    [
      "patternProperties",
      { patternProperties: { "^n_": { type: "number" } }, additionalProperties: false },
      { n_a: 1 },
      { n_a: "1" },
    ],
    ["unknown keywords and formats", { "x-note": 1, format: "no-such-format", minLength: 1 }, "x", ""],
    ["escaped pointers", { $defs: { "a/b~c d": { type: "string" } }, $ref: "#/$defs/a~1b~0c%20d" }, "x", 1],
    ["names that objects inherit", { properties: { toString: { type: "string" } } }, {}, { toString: 1 }],
    ["boolean schemas", { properties: { a: false } }, {}, { a: 1 }],
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

  test("compiles a thousand properties in less than a second", () => {
    const properties = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`p${index}`, { type: "string", maxLength: 9 }]),
    );
    const start = performance.now();
    const validate = validator({
      type: "object",
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    });
    expect(performance.now() - start).toBeLessThan(10_000);
    const value = Object.fromEntries(Object.keys(properties).map((key) => [key, "x"]));
    expect(validate(value).ok).toBe(true);
    expect(validate({ ...value, p7: 1 })).toMatchObject({ ok: false, issues: [{ path: "$.p7" }] });
  });

  test("leaves the work of a strange schema to its first value where that is asked for, and decides the same", () => {
    const schemas = Array.from({ length: 200 }, (_, minimum) => ({
      type: "object",
      properties: { a: { oneOf: [{ type: "string" }, { type: "integer", minimum }] } },
      required: ["a"],
    }));
    const timed = (later: boolean) => {
      const startedAt = performance.now();
      const compiled = schemas.map((schema) => compileJsonSchema(schema, { foreign: true, later }));
      return { compiled, ms: performance.now() - startedAt };
    };
    // The best of a few: another process may take the processor at any time.
    const rounds = [1, 2, 3].map(() => ({ atOnce: timed(false), later: timed(true) }));
    const best = (which: "atOnce" | "later") => Math.min(...rounds.map((round) => round[which].ms));
    expect(best("later")).toBeLessThan(best("atOnce") / 2);
    const { later } = rounds[0]!;
    const [, one] = later.compiled;
    if (one?.ok !== true) throw new Error("it could not be compiled");
    expect([{ a: "x" }, { a: 1 }, { a: 0 }].map((value) => one.validate(value).ok)).toEqual([
      true,
      true,
      false,
    ]);
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
    const later = compileStandardSchema(
      v.objectAsync({
        a: v.pipeAsync(
          v.string(),
          v.checkAsync(async (text) => text === "x", "must be x"),
        ),
      }),
    );
    expect(await later({ a: "x" })).toMatchObject({ ok: true });
    expect(await later({ a: "y" })).toMatchObject({
      ok: false,
      issues: [{ path: "$.a", message: '$.a: must be x (received string "y")' }],
    });
    const broken: StandardSchema = {
      "~standard": {
        version: 1,
        vendor: "x",
        validate: () => {
          throw new Error("boom");
        },
      },
    };
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

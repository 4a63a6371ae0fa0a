import { describe, expect, test } from "vitest";
import type { Json } from "../../../src/core/input/json.ts";
import type { JsonSchema } from "../../../src/core/tool/schema.ts";
import { compileJsonSchema } from "../../../src/safe/schema/json-schema.ts";

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";

function accepts(schema: JsonSchema, value: Json): boolean {
  const compiled = compileJsonSchema(schema, { foreign: true });
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.validate(value).ok;
}

function refusal(schema: JsonSchema): string | undefined {
  const compiled = compileJsonSchema(schema, { foreign: true });
  return compiled.ok ? undefined : compiled.message;
}

describe("names inside a schema", () => {
  const twoUnits: JsonSchema = {
    type: "object",
    properties: { weight: { $ref: "weight#unit" }, length: { $ref: "length#unit" } },
    $defs: {
      weight: { $id: "weight", $defs: { unit: { $anchor: "unit", enum: ["kg", "lb"] } } },
      length: { $id: "length", $defs: { unit: { $anchor: "unit", enum: ["m", "ft"] } } },
    },
  };

  test("two resources may use the same $anchor, and each reference finds its own", () => {
    expect(accepts(twoUnits, { weight: "kg", length: "m" })).toBe(true);
    expect(accepts(twoUnits, { weight: "m" })).toBe(false);
    expect(accepts(twoUnits, { length: "kg" })).toBe(false);
  });

  test("an $id is relative to the one around it, and so is a reference", () => {
    const schema: JsonSchema = {
      $id: "https://a.example/tools/root.json",
      properties: {
        x: { $ref: "https://a.example/tools/parts/inner.json" },
        y: { $ref: "parts/outer.json" },
      },
      $defs: {
        outer: {
          $id: "parts/outer.json",
          $ref: "inner.json",
          $defs: { inner: { $id: "inner.json", type: "string" } },
        },
      },
    };
    expect(accepts(schema, { x: "text", y: "text" })).toBe(true);
    expect(accepts(schema, { x: 1 })).toBe(false);
    expect(accepts(schema, { y: 1 })).toBe(false);
  });

  test("# means the nearest resource", () => {
    const tree = {
      $id: "tree",
      type: "object",
      properties: { child: { $ref: "#" } },
      additionalProperties: false,
    };
    const schema: JsonSchema = { type: "object", properties: { tree }, required: ["tree"] };
    expect(accepts(schema, { tree: { child: { child: {} } } })).toBe(true);
    expect(accepts(schema, { tree: { child: { tree: {} } } })).toBe(false);
  });

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

  test("a $dynamicRef takes the outermost resource on the way, for each way another one", () => {
    const list = (id: string, item: string) => ({
      $id: id,
      $ref: "list",
      $defs: { item: { $dynamicAnchor: "item", type: item } },
    });
    const schema: JsonSchema = {
      properties: { words: { $ref: "words" }, counts: { $ref: "counts" }, any: { $ref: "list" } },
      $defs: {
        list: {
          $id: "list",
          type: "array",
          items: { $dynamicRef: "#item" },
          $defs: { item: { $dynamicAnchor: "item" } },
        },
        words: list("words", "string"),
        counts: list("counts", "number"),
      },
    };
    expect(accepts(schema, { words: ["a"], counts: [1], any: ["a", 1, null] })).toBe(true);
    expect(accepts(schema, { words: [1] })).toBe(false);
    expect(accepts(schema, { counts: ["a"] })).toBe(false);
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

  test("data that looks like a name is only data", () => {
    const schema: JsonSchema = {
      properties: { a: { enum: [{ $id: "x", $anchor: "y" }] }, b: { const: { $id: "x" } } },
      examples: [{ $id: "x" }, { $id: "x" }],
    };
    expect(accepts(schema, { a: { $id: "x", $anchor: "y" }, b: { $id: "x" } })).toBe(true);
    expect(accepts(schema, { a: { $id: "x" } })).toBe(false);
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

  test("finds definitions that stand beside a $ref", () => {
    const schema: JsonSchema = { $schema: DRAFT_07, $ref: "#/definitions/text", definitions };
    expect(accepts(schema, "text")).toBe(true);
    expect(accepts(schema, 1)).toBe(false);
  });

  test("does not know the words of later drafts", () => {
    const contains = { contains: { type: "string" }, minContains: 0 };
    expect(accepts(contains, [])).toBe(true);
    expect(accepts({ $schema: DRAFT_07, ...contains }, [])).toBe(false);
    expect(accepts({ $schema: DRAFT_07, not: { dependentRequired: { a: ["b"] } } }, { a: 1 })).toBe(false);
  });

  test("names parts by an $id with a fragment", () => {
    const named = {
      $schema: DRAFT_07,
      $id: "https://a.example/x",
      definitions: { a: { $id: "#text", type: "string" } },
    };
    expect(accepts({ ...named, properties: { a: { $ref: "#text" } } }, { a: 1 })).toBe(false);
    expect(accepts({ ...named, properties: { a: { $ref: "https://a.example/x#text" } } }, { a: "b" })).toBe(
      true,
    );
  });
});

test("patterns of strangers may name Unicode properties in full", () => {
  expect(accepts({ pattern: "^\\p{Letter}+$" }, "größe")).toBe(true);
  expect(accepts({ pattern: "^\\p{Script=Greek}+$" }, "abc")).toBe(false);
  expect(refusal({ pattern: "^(?=\\p{Letter})" })).toContain("look-around");
});

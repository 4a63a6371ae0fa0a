import { describe, expect, test } from "vitest";
import type { Json } from "../../../../src/core/input/json.ts";
import type { JsonSchema } from "../../../../src/core/tool/schema.ts";
import { compileJsonSchema } from "../../../../src/safe/schema/json-schema.ts";

function accepts(schema: JsonSchema, value: Json): boolean {
  const compiled = compileJsonSchema(schema, { foreign: true });
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.validate(value).ok;
}

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

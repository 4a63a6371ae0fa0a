import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/core/json.ts";
import { compileFlat } from "../../../src/safe/flat-schema.ts";
import { compileJsonSchema } from "../../../src/safe/json-schema.ts";

const name = fc.constantFrom("a", "b", "c", "toString", "constructor", "length", "");
const type = fc.constantFrom("string", "number", "boolean", "integer");
const schema = fc
  .record({
    properties: fc.dictionary(
      name,
      fc.record({ type, description: fc.string() }, { requiredKeys: ["type"] }),
    ),
    required: fc.uniqueArray(name, { maxLength: 3 }),
  })
  .map((parts) => ({ type: "object", additionalProperties: false, ...parts }));
const member = fc.constantFrom<Json>(0, 1, -1, 1.5, 1e21, "", "x", true, null, [], {});
const fitting: Record<string, fc.Arbitrary<Json>> = {
  string: fc.string(),
  number: fc.double({ noNaN: true, noDefaultInfinity: true }),
  boolean: fc.boolean(),
  integer: fc.oneof(fc.integer(), fc.constant(2)),
};

/** Values made for the schema, with a wrong member now and then, and values made for nothing. */
const pair = schema.chain((described) => {
  const made = Object.fromEntries(
    Object.entries(described.properties).map(([key, field]) => [
      key,
      fc.oneof({ weight: 9, arbitrary: fitting[field.type] ?? member }, { weight: 1, arbitrary: member }),
    ]),
  );
  const value = fc.oneof(
    fc.record(made, { requiredKeys: [] }),
    fc.dictionary(name, member),
    fc.constantFrom<Json>(null, 1, "text", []),
  ) as fc.Arbitrary<Json>;
  return fc.tuple(fc.constant(described), value);
});

describe("the quick check of flat schemas", () => {
  it("accepts nothing that the validator refuses", () => {
    let accepted = 0;
    fc.assert(
      fc.property(pair, ([described, given]) => {
        const flat = compileFlat(described as unknown as Json);
        // A word that the quick check does not know leaves the whole schema to the validator.
        const whole = compileJsonSchema({ ...described, minProperties: 0 });
        if (flat === undefined || !whole.ok || !flat(given)) return;
        accepted++;
        expect(whole.validate(given).ok).toBe(true);
      }),
      { numRuns: 3_000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it.each([
    [{ type: "object", properties: { a: { type: "string", minLength: 2 } }, additionalProperties: false }],
    [{ type: "object", properties: { a: { type: ["string", "null"] } }, additionalProperties: false }],
    [{ type: "object", properties: { a: {} }, additionalProperties: false }],
    [{ type: "object", properties: {}, additionalProperties: false, maxProperties: 1 }],
    [{ type: "object", properties: {}, additionalProperties: false, required: ["a"] }],
    [{ type: "object", properties: {} }],
    [true],
  ])("leaves %j to the validator", (described) => {
    expect(compileFlat(described as unknown as Json)).toBeUndefined();
  });
});

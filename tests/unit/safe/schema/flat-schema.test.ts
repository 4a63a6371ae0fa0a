import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/core/input/json.ts";
import { flatFields, takeFitting } from "../../../../src/safe/schema/flat-schema.ts";
import { takeJson } from "../../../../src/safe/schema/json-guard.ts";
import { compileJsonSchema } from "../../../../src/safe/schema/json-schema.ts";

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

describe("taking the input of a flat schema in one look", () => {
  it("accepts nothing that the long way refuses, and takes the same", () => {
    let accepted = 0;
    fc.assert(
      fc.property(pair, ([described, given]) => {
        const fields = flatFields(described as unknown as Json);
        const whole = compileJsonSchema(described);
        const fits = fields && takeFitting(given, fields);
        if (fits === undefined || !whole.ok) return;
        accepted++;
        expect(takeJson(given)).toMatchObject({ ok: true, value: fits });
        expect(whole.validate(fits).ok).toBe(true);
        expect(Object.isFrozen(fits)).toBe(true);
        expect(fits).not.toBe(given);
      }),
      { numRuns: 3_000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  const closed = { type: "object", additionalProperties: false };
  it.each([
    { ...closed, properties: { a: { type: "string", minLength: 2 } } },
    { ...closed, properties: { a: { type: ["string", "null"] } } },
    { ...closed, properties: { a: {} } },
    { ...closed, properties: {}, maxProperties: 1 },
    { ...closed, properties: {}, required: ["a"] },
    { type: "object", properties: {} },
    { ...closed, properties: JSON.parse('{"__proto__":{"type":"string"}}') },
    true,
  ])("leaves %j to the validator", (described) => {
    expect(flatFields(described as unknown as Json)).toBeUndefined();
  });

  const properties = { a: { type: "number" }, b: { type: "string" }, c: { type: "integer" } };
  const fields = flatFields({ ...closed, properties, required: ["a"] });

  it.each([[{ a: 1 }], [{ a: 1, b: "x" }], [{ a: 1, c: 2 }], [{ a: 1, b: "x", c: 2 }]])(
    "takes %j, which leaves only optional fields out",
    (given) => {
      expect(takeFitting(given, fields ?? [])).toEqual(given);
    },
  );

  class Dated {
    a = 1;
  }
  const throwing = (): never => {
    throw new Error("no");
  };
  it.each<[string, unknown]>([
    ["a required field that is missing", { b: "x" }],
    ["another order", { c: 1, a: 1 }],
    ["a field too many", { a: 1, d: 1 }],
    ["a member of another kind", { a: "1" }],
    ["what is no number in JSON", { a: Number.NaN }],
    ["minus zero", { a: -0 }],
    ["half an integer", { a: 1, c: 0.5 }],
    ["a long text", { a: 1, b: "x".repeat(1_001) }],
    ["undefined", { a: 1, b: undefined }],
    ["a class instance", new Dated()],
    ["a list", [1]],
    ["nothing", undefined],
    ["a prototype as a field", JSON.parse('{"a":1,"__proto__":{"b":"x"}}')],
    ["a proxy that throws", new Proxy({}, { ownKeys: throwing })],
  ])("leaves %s to the long way", (_, given) => {
    expect(takeFitting(given, fields ?? [])).toBeUndefined();
  });
});

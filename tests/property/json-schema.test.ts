import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../src/core/input/json.ts";
import { compileJsonSchema } from "../../src/safe/schema/json-schema.ts";
import { isValid } from "./schema-reference.ts";

const name = fc.constantFrom("a", "b", "ab", "toString");
const leaf = fc.constantFrom<Json>(null, true, 0, 1, 2.5, "", "a", "ab", "\u{1f600}");
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ) as fc.Arbitrary<Json>,
}));

/** A schema without references of its own; `$ref` leads to one of three definitions. */
function schemas(draft07: boolean): fc.Arbitrary<JsonObject> {
  const type = fc.constantFrom("string", "number", "integer", "boolean", "object", "array", "null");
  const { schema } = fc.letrec<{ schema: Json; words: JsonObject }>((tie) => {
    const part = tie("schema");
    const parts = fc.array(part, { minLength: 1, maxLength: 3 });
    const map = fc.dictionary(name, part, { minKeys: 1, maxKeys: 2, noNullPrototype: true });
    const words: [string, fc.Arbitrary<unknown>][] = [
      ["type", type],
      ["enum", fc.array(value, { minLength: 1, maxLength: 3 })],
      ["const", value],
      ["minimum", fc.constantFrom(0, 1, 2)],
      ["maximum", fc.constantFrom(0, 1, 2)],
      ["maxLength", fc.nat(2)],
      ["minItems", fc.nat(2)],
      ["uniqueItems", fc.boolean()],
      ["items", draft07 ? fc.oneof(part, parts) : part],
      [draft07 ? "additionalItems" : "prefixItems", draft07 ? part : parts],
      ["contains", part],
      ["minContains", fc.nat(2)],
      ["maxContains", fc.nat(2)],
      ["properties", map],
      [
        "patternProperties",
        fc.dictionary(fc.constantFrom("^a", "b$"), part, { maxKeys: 2, noNullPrototype: true }),
      ],
      ["additionalProperties", part],
      ["propertyNames", part],
      ["required", fc.uniqueArray(name, { maxLength: 2 })],
      ["minProperties", fc.nat(2)],
      [draft07 ? "dependencies" : "dependentSchemas", map],
      ["unevaluatedProperties", part],
      ["unevaluatedItems", part],
      ...["allOf", "anyOf", "oneOf"].map((word): [string, typeof parts] => [word, parts]),
      ...["not", "if", "then", "else"].map((word): [string, typeof part] => [word, part]),
      ["$ref", fc.constantFrom("#/definitions/x", "#/definitions/y")],
    ];
    const one = fc.oneof(...words.map(([word, arbitrary]) => arbitrary.map((of) => [word, of] as const)));
    return {
      words: fc
        .array(one, { minLength: 1, maxLength: 4 })
        .map((list) => Object.fromEntries(list) as JsonObject),
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<Json>(true, false),
        type.map((of): Json => ({ type: of })),
        tie("words"),
        tie("words"),
      ),
    };
  });
  const plain = fc.oneof(
    fc.record({ type }),
    fc.record({ properties: fc.dictionary(name, fc.record({ type }), { noNullPrototype: true }) }),
    fc.record({ [draft07 ? "contains" : "unevaluatedProperties"]: fc.record({ type }) }),
  );
  return fc
    .record({ of: schema, x: plain, y: plain })
    .map(({ of, x, y }) => ({ allOf: [of as Json], definitions: { x, y } as JsonObject }));
}

describe.each([
  ["2020-12", "https://json-schema.org/draft/2020-12/schema", false],
  ["draft-07", "http://json-schema.org/draft-07/schema#", true],
] as const)("any schema of %s", (_draft, $schema, draft07) => {
  it("is decided for any value as the standard says", () => {
    fc.assert(
      fc.property(schemas(draft07), fc.array(value, { minLength: 5, maxLength: 20 }), (schema, values) => {
        const compiled = compileJsonSchema({ ...schema, $schema }, { foreign: true });
        // A busy machine may not compile it in time.
        fc.pre(compiled.ok || !compiled.message.includes("too long"));
        if (!compiled.ok) throw new Error(compiled.message);
        for (const one of values) {
          const answer = compiled.validate(one);
          // A busy machine may leave a value undecided, which is never a yes.
          if (answer.ok || answer.undecided !== true) expect(answer.ok).toBe(isValid(schema, one, draft07));
        }
      }),
      { numRuns: 400 },
    );
  });
});

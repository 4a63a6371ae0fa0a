import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { configSchema, routesSchema } from "../../../../src/config/file/file-schema.ts";
import type { Json } from "../../../../src/core/input/json.ts";
import type { JsonSchema } from "../../../../src/core/tool/schema.ts";
import { checkShape } from "../../../../src/safe/files/documents/check-shape.ts";
import type { SchemaPart } from "../../../../src/safe/files/documents/schema-part.ts";
import { compileJsonSchema } from "../../../../src/safe/schema/json-schema.ts";

const schemas = resolve(import.meta.dirname, "../../../../schemas");
const published = (name: string): unknown => JSON.parse(readFileSync(`${schemas}/${name}`, "utf8"));

describe("the published schemas", () => {
  it("are what files are checked against (else run: node scripts/write-schema.mjs)", () => {
    expect(published("toolgate.schema.json")).toEqual(configSchema);
    expect(published("tool-routes.schema.json")).toEqual(routesSchema);
  });

  it("describe every key, so that an editor can explain it", () => {
    const undescribed: string[] = [];
    const walk = (part: SchemaPart, path: string): void => {
      for (const [key, member] of Object.entries(part.properties ?? {})) {
        const target = member.$ref === undefined ? member : configSchema.$defs?.[member.$ref.slice(8)];
        if ((member.description ?? target?.description) === undefined) undescribed.push(`${path}.${key}`);
        walk(member, `${path}.${key}`);
      }
    };
    walk(configSchema, "$");
    for (const [name, part] of Object.entries(configSchema.$defs ?? {})) walk(part, name);
    expect(undescribed).toEqual([]);
  });

  it("use only keywords that our own check knows", () => {
    const known =
      "$schema $id $ref $defs title description default examples type enum oneOf properties required";
    const more = "additionalProperties propertyNames items minItems minLength maxLength minimum pattern";
    const keywords = new Set(`${known} ${more}`.split(" "));
    const strange: string[] = [];
    const walk = (part: unknown): void => {
      if (typeof part !== "object" || part === null) return;
      for (const [key, value] of Object.entries(part)) {
        if (!keywords.has(key)) strange.push(key);
        if (key === "properties" || key === "$defs") Object.values(value as object).forEach(walk);
        else if (key === "oneOf") (value as unknown[]).forEach(walk);
        else if (["items", "additionalProperties", "propertyNames"].includes(key)) walk(value);
      }
    };
    walk(configSchema);
    walk(routesSchema);
    expect(strange).toEqual([]);
  });
});

/** Rules that are mostly right: from each key its right form, or something else now and then. */
function mostly(right: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const wrong = fc.constantFrom<Json>(null, 0, -1, 1.5, true, "", "x", "a,b", [], ["x"], [1], {}, { x: 1 });
  return fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: wrong });
}
function record(parts: Record<string, fc.Arbitrary<Json>>): fc.Arbitrary<Json> {
  const members = Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, mostly(part)]));
  const extra = fc.oneof(
    { weight: 7, arbitrary: fc.constant({}) },
    { weight: 3, arbitrary: fc.constantFrom({ strange: 1 }, { name: "n" }, { constructor: "x" }) },
  );
  return fc
    .tuple(fc.record(members, { requiredKeys: Object.keys(parts).slice(0, 2), noNullPrototype: true }), extra)
    .map(([one, other]) => ({ ...one, ...other }) as Json);
}
const text = fc.constantFrom<Json>("Bash", "*", "word", "a b");
const tests = mostly(
  fc.array(
    record({
      input: record({ tool_name: text, tool_input: fc.constant({ command: "x" }) }),
      expect: fc.constantFrom<Json>("block", "allow", "ask"),
      desc: text,
      contains: text,
    }),
    { maxLength: 2 },
  ),
);
const route = record({
  tool: fc.constantFrom<Json>("Bash", ["Bash", "mcp__*"]),
  pattern: text,
  flags: fc.constant("i"),
  action: fc.constantFrom<Json>("block", "allow", "rewrite"),
  message: text,
  rewrite: fc.constantFrom<Json>({ command: "x" }, { a: "b", c: "d" }),
  tests,
});
const policyParts = {
  tools: fc.constantFrom<Json>("Bash", ["Bash", "*"]),
  action: fc.constantFrom<Json>("approve", "ask", "deny"),
  conditions: fc.array(
    record({
      type: fc.constantFrom<Json>("path", "command"),
      operator: fc.constantFrom<Json>("equals", "inside"),
      value: fc.constantFrom<Json>("x", 3, ["a", true]),
      field: text,
    }),
    { maxLength: 2 },
  ),
  priority: fc.constantFrom<Json>(0, -3, 1.5),
  modes: fc.constantFrom<Json>(["act"], ["plan", "act"]),
  tests,
};
const limitParts = {
  max: fc.constantFrom<Json>(0, 3),
  windowMs: fc.constantFrom<Json>(1, 1000),
  concurrent: fc.constant(2),
  per: fc.constantFrom<Json>("tool", "gate"),
  category: text,
};
const names = fc.constantFrom("one", "two", "constructor", "");
const byName = (rule: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.dictionary(names, rule, { maxKeys: 2, noNullPrototype: true });
/** By name, or as a list of rules that say their names. */
const rules = (parts: Record<string, fc.Arbitrary<Json>>): fc.Arbitrary<Json> =>
  fc.oneof(byName(record(parts)), fc.array(record({ name: text, ...parts }), { maxLength: 2 }));
const file = record({
  version: fc.constant(1),
  routes: byName(route),
  policies: rules(policyParts),
  limits: rules(limitParts),
  hooks: record({ default: fc.constantFrom<Json>("abstain", "ask", "deny") }),
  tools: record({
    enable_all: fc.boolean(),
    enabled_categories: fc.constant(["shell"]),
    ceilings: fc.dictionary(
      fc.constantFrom("code", "git", ""),
      fc.constantFrom<Json>("read", "write", "execute", "all"),
      { maxKeys: 2 },
    ),
  }),
  web: record({
    search: record({ url: text, format: fc.constantFrom<Json>("searxng", "brave", "x"), key_env: text }),
  }),
});

describe("the check of a file's shape", () => {
  it.each([
    ["configuration", configSchema, file],
    ["routes", routesSchema, record({ version: fc.constant(1), routes: byName(route) })],
  ])("agrees with a JSON Schema validator on %s files", (_, schema, files) => {
    const compiled = compileJsonSchema(schema as unknown as JsonSchema);
    if (!compiled.ok) throw new Error(compiled.message);
    let accepted = 0;
    fc.assert(
      fc.property(mostly(files), (value) => {
        const problems = checkShape(value, schema);
        const result = compiled.validate(value);
        if (result.ok) accepted++;
        expect(problems.length === 0, JSON.stringify([value, problems])).toBe(result.ok);
      }),
      { numRuns: 800 },
    );
    expect(accepted).toBeGreaterThan(2);
  });

  it("tells each mistake once", () => {
    fc.assert(
      fc.property(file, (value) => {
        const problems = checkShape(value, configSchema);
        const told = problems.map(({ path, reason }) => JSON.stringify([path, reason]));
        expect(new Set(told).size).toBe(told.length);
      }),
      { numRuns: 300 },
    );
  });
});

import { describe, expect, it } from "vitest";
import { emptyValue, readField } from "../src/parts/schema-form/read-schema.ts";

describe("a schema as a form", () => {
  it("follows references, and takes the parts of allOf together", () => {
    const root = {
      $defs: { point: { type: "object", properties: { x: { type: "number" } }, required: ["x"] } },
      allOf: [{ $ref: "#/$defs/point" }, { properties: { name: { type: "string" } } }],
    };
    const field = readField(root, root);
    expect(field.kind === "object" && field.fields.map(({ name, isRequired }) => [name, isRequired])).toEqual(
      [
        ["x", true],
        ["name", false],
      ],
    );
  });

  it("offers the forms of oneOf and anyOf, at the root too, with the fields that all of them share", () => {
    const root = {
      type: "object",
      properties: { id: { type: "string" } },
      required: ["id"],
      anyOf: [
        { properties: { path: { type: "string" } }, required: ["path"] },
        { title: "by address", properties: { url: { type: "string" } }, required: ["url"] },
      ],
    };
    const field = readField(root, root);
    expect(field.kind === "either" && field.forms.map(({ name }) => name)).toEqual([
      "with path",
      "by address",
    ]);
    expect(emptyValue(root, root)).toEqual({ id: "", path: "" });
  });

  it("leaves what a form cannot say to JSON", () => {
    for (const schema of [
      {},
      { type: "array" },
      { type: "object" },
      { $ref: "https://elsewhere.example/x" },
      true,
    ])
      expect(readField(schema, {}).kind).toBe("json");
  });

  it("ends where a schema refers to itself", () => {
    const root = { type: "object", properties: { child: { $ref: "#" } }, required: ["child"] };
    expect(JSON.stringify(emptyValue(root, root)).length).toBeLessThan(1_000);
    const ring = { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } };
    expect(readField(ring, ring).kind).toBe("json");
  });

  it("begins with defaults and with what must be there", () => {
    const root = {
      type: "object",
      properties: {
        mode: { enum: ["a", "b"] },
        depth: { type: "integer", default: 3 },
        fixed: { const: "x" },
        extra: { type: "string" },
      },
      required: ["mode", "depth", "fixed"],
    };
    expect(emptyValue(root, root)).toEqual({ mode: "a", depth: 3, fixed: "x" });
  });
});

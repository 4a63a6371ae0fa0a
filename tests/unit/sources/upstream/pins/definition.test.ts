import { describe, expect, it } from "vitest";
import { pinOf } from "../../../../../src/sources/upstream/pins/definition.ts";
import { matchesTemplate } from "../../../../../src/sources/upstream/tools/uri-template.ts";

const definition = {
  name: "get",
  title: "Get",
  description: "Gets.",
  inputSchema: { type: "object", properties: { id: { type: "string", "x-mcp-header": "Id" } } },
  outputSchema: { type: "object" },
  annotations: { readOnlyHint: true },
  icons: [{ src: "https://example.com/a.png" }],
  _meta: { "ui/resourceUri": "ui://a" },
};
const digestOf = (listed: object) => pinOf("get", listed as never).digest;

describe("the digest of a definition", () => {
  it.each([
    ["title", { title: "Get it" }],
    ["description", { description: "Gets.\u200b" }],
    ["input schema", { inputSchema: { type: "object" } }],
    [
      "header of an argument",
      { inputSchema: { type: "object", properties: { id: { type: "string", "x-mcp-header": "Other" } } } },
    ],
    ["output schema", { outputSchema: { type: "object", properties: {} } }],
    ["annotations", { annotations: { readOnlyHint: false } }],
    ["icons", { icons: [{ src: "https://evil.example/a.png" }] }],
    ["_meta", { _meta: { "ui/resourceUri": "ui://b" } }],
    ["something nobody knows yet", { extension: 1 }],
  ])("changes with its %s", (_, change) => {
    expect(digestOf({ ...definition, ...change })).not.toBe(digestOf(definition));
  });

  it("stays with another order of keys, and with what belongs to one answer only", () => {
    const turned = Object.fromEntries(Object.entries(definition).reverse());
    const traced = { ...turned, _meta: { traceparent: "00-1", ...definition._meta } };
    expect(digestOf(traced)).toBe(digestOf(definition));
  });
});

describe("a URI template", () => {
  it.each([
    ["file:///{path}", "file:///a/b", true],
    ["note://{name}/text", "note://x/text", true],
    ["note://{name}/text", "note://x/other", false],
    ["db://{table}/{id}", "db://users/1", true],
    ["db://{table}/{id}", "db://users", false],
    ["fixed://a", "fixed://a", true],
    ["fixed://a", "fixed://ab", false],
  ])("%s of %s: %s", (template, uri, expected) => {
    expect(matchesTemplate(template, uri)).toBe(expected);
  });
});

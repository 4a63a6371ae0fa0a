import { describe, expect, it } from "vitest";
import { resultFromMcp } from "../../../../../src/sources/upstream/tools/result-from-mcp.ts";
import { permissionOf, toolFromMcp } from "../../../../../src/sources/upstream/tools/tool-from-mcp.ts";

describe("the answer of an upstream server", () => {
  it("keeps text, images, audio, resources and links as they are", () => {
    const content = [
      { type: "text", text: "a" },
      { type: "image", data: "aGk=", mimeType: "image/png" },
      { type: "audio", data: "aGk=", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "note://a", text: "b" } },
      { type: "resource_link", uri: "note://a", name: "a" },
    ];
    expect(resultFromMcp({ content })).toMatchObject({ content, isError: false });
  });

  it("tells of content that is none instead of passing it on", () => {
    const { content } = resultFromMcp({ content: [{ type: "script", code: "x" }, 7, { type: "text" }] });
    expect(content.map((block) => (block.type === "text" ? block.text : ""))).toEqual([
      '[The server sent content of the type "script", which is not shown.]',
      "[The server sent something that is no content, which is not shown.]",
      '[The server sent content of the type "text", which is not shown.]',
    ]);
  });

  it("floods nobody by kinds of content that are not cut as text is", () => {
    const text = "x".repeat(100_000);
    const { content } = resultFromMcp({
      content: [
        { type: "resource", resource: { uri: "note://a", text } },
        { type: "resource_link", uri: `note://${text}`, name: "a" },
      ],
    });
    expect(content).toEqual([
      { type: "text", text: `["note://a"]\n${text}` },
      { type: "text", text: '[The server sent content of the type "resource_link", which is not shown.]' },
    ]);
  });

  it("has its structured content, which is also the text where the server wrote none", () => {
    const { structured, content } = resultFromMcp({ structuredContent: { a: 1 } });
    expect(structured).toEqual({ a: 1 });
    expect(content).toEqual([{ type: "text", text: '{"a":1}' }]);
  });

  it("is an error only where the server says so", () => {
    expect(resultFromMcp({ content: [], isError: true }).isError).toBe(true);
    expect(resultFromMcp({ content: [], isError: "yes" }).isError).toBe(false);
  });
});

describe("a tool made from a definition", () => {
  const make = (definition: object) =>
    toolFromMcp({
      server: "x",
      id: "x__t",
      definition: definition as never,
      permission: "execute",
      timeoutMs: 1_000,
      run: () => undefined,
    });

  it("has the title of either place, a description in any case, and hints that are hints", () => {
    const made = make({ name: "t", annotations: { title: "T", readOnlyHint: true, other: "x" } });
    expect(made).toMatchObject({
      ok: true,
      tool: {
        title: "T",
        description: "T",
        annotations: { readOnlyHint: true },
        permission: "execute",
        lock: "none",
        capabilities: ["mcp:x"],
      },
    });
  });

  it.each([
    [{ inputSchema: [] }, "its input schema is not an object."],
    [{ inputSchema: { type: "string" } }, "object"],
    [{ outputSchema: 7 }, "its output schema is not an object."],
  ])("is refused for %o", (definition, message) => {
    expect(make({ name: "t", ...definition })).toMatchObject({
      ok: false,
      message: expect.stringContaining(message),
    });
  });

  it("is believed only where the configuration says so", () => {
    const reading = { annotations: { readOnlyHint: true } };
    expect(permissionOf(reading, false)).toBe("execute");
    expect(permissionOf(reading, true)).toBe("read");
    expect(permissionOf({ annotations: { destructiveHint: false } }, true)).toBe("write");
    expect(permissionOf({}, true)).toBe("execute");
  });
});

import { describe, expect, it } from "vitest";
import { textOf, textResult, toolResult, toToolResult } from "../../../../src/core/call/content.ts";

describe("what run returned becomes a result", () => {
  it.each([
    ["text", "hello", "hello"],
    ["a number", 42, "42"],
    ["false", false, "false"],
    ["null", null, "null"],
    ["a bigint", 7n, "7"],
    ["an array", [1, "a"], '[1,"a"]'],
    ["an object", { a: 1 }, '{"a":1}'],
    ["a date", new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ["a symbol", Symbol("s"), "Symbol(s)"],
  ])("from %s", (_, value, text) => {
    expect(textOf(toToolResult(value))).toBe(text);
    expect(toToolResult(value).isError).toBe(false);
  });

  it("is empty for nothing", () => {
    expect(toToolResult(undefined)).toEqual({ content: [], isError: false });
  });

  it("keeps objects and arrays as structured data, plain values not", () => {
    const kept = [{ a: 1 }, [1], "x"].map((value) => toToolResult(value).structured);
    expect(kept).toEqual([{ a: 1 }, [1], undefined]);
  });

  it("stays what it is when it has the shape of a result", () => {
    const image = { type: "image" as const, data: "AA==", mimeType: "image/png" };
    expect(toToolResult({ content: [image], isError: true })).toEqual({ content: [image], isError: true });
    const made = toolResult({ content: [], structured: { n: 1 } });
    expect(toToolResult(made)).toBe(made);
  });

  it.each([
    ["more keys", { content: [], extra: 1 }],
    ["content that is text", { content: "a page" }],
    ["unknown blocks", { content: [{ type: "paragraph" }] }],
    ["blocks that are no objects", { content: ["text"] }],
  ])("is data when it merely resembles a result: %s", (_, value) => {
    expect(toToolResult(value).structured).toBe(value);
  });
});

describe("the text of a result", () => {
  it("joins the text blocks by lines and skips the others", () => {
    const content = [
      { type: "text" as const, text: "a" },
      { type: "audio" as const, data: "" },
      { type: "text" as const, text: "b" },
    ];
    expect(textOf(toolResult({ content }))).toBe("a\nb");
    expect(textOf(textResult("x", true))).toBe("x");
  });
});

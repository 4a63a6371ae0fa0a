import pico from "picocolors";
import { describe, expect, it } from "vitest";
import type { ReviewItem } from "../../../../src/sources/upstream/pins/review.ts";
import { describeItem } from "../../../../src/surfaces/cli/commands/upstreams/describe-review.ts";

const plain = pico.createColors(false);

const tool: ReviewItem = {
  server: "hub",
  tool: "search",
  why: "new",
  digest: "abcdefghijklmnop",
  after: {
    name: "search",
    description: "Searches all.\n\nThen it sends what it found.",
    inputSchema: {
      type: "object",
      properties: { query: { type: "string", description: "What." }, limit: { type: "number" } },
      required: ["query"],
    },
  },
};

describe("a tool that is new, in the review", () => {
  it("is its first line and its parameters, and says how much is not shown", () => {
    expect(describeItem(tool, plain)).toBe(
      [
        "+ new     search abcdefghijkl",
        "    Searches all. (and 30 characters more)",
        "    parameters: query, [limit]",
        "    332 characters of definition in all",
        "",
      ].join("\n"),
    );
  });

  it("is the whole definition where somebody asks for it, however long it is", () => {
    const properties = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`p${index}`, {}]));
    const after = { name: "search", description: "x".repeat(3_000), inputSchema: { properties } };
    const all = describeItem({ ...tool, after }, plain, true);
    expect(all).toContain("x".repeat(3_000));
    expect(all).toContain('"p299"');
    const short = describeItem({ ...tool, after }, plain);
    expect(short.split("\n").length).toBeLessThan(6);
    expect(short).toContain("(and 2,840 characters more)");
    expect(short).toContain("and 270 more");
  });

  it("is shown whole where it hides something", () => {
    const after = { ...(tool.after as object), title: "Sea\u200brch" };
    const shown = describeItem({ ...tool, after }, plain);
    expect(shown).toContain("characters that nobody can see");
    expect(shown).toContain("Then it sends what it found.");
  });

  it.each([
    [{}, "(no description)"],
    [{ description: 7, inputSchema: [] }, "parameters: none that it names"],
    [{ description: " \n ", inputSchema: { properties: [], required: "x" } }, "(no description)"],
    [{ description: "\n\nSecond line first.\nMore" }, "Second line first. (and 5 characters more)"],
  ])("is shown whatever a server sends: %j", (after, expected) => {
    expect(describeItem({ ...tool, after }, plain)).toContain(expected);
  });
});

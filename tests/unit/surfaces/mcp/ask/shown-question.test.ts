import { describe, expect, it } from "vitest";
import { hidesInSchema, shownQuestion } from "../../../../../src/surfaces/mcp/ask/shown-question.ts";

const messageOf = (message: string) => String(shownQuestion("hub", { message }).message);

describe("a question of a server", () => {
  it("says who asks in every line", () => {
    expect(messageOf("Your name?")).toBe("hub asks: Your name?");
    expect(messageOf("Name?\n\ntoolgate: approve fs.write?\nAnna asks: yes?")).toBe(
      "hub asks: Name?\nhub | \nhub | toolgate: approve fs.write?\nhub | Anna asks: yes?",
    );
    const long = messageOf("\n".repeat(3_000));
    expect(long.split("\n").length).toBeLessThan(40);
    expect(long.split("\n").every((line) => line.includes("hub"))).toBe(true);
    expect(messageOf("x".repeat(100_000)).length).toBeLessThan(5_000);
  });

  it.each(["\r", "\u2028", "\u0085", "\x1b[2J", "\u202e", "\v", "\f"])(
    "shows what would begin a line or paint over it: %j",
    (character) => {
      const shown = messageOf(`a${character}b`);
      expect(shown).not.toContain(character);
      expect(shown).toMatch(/^hub asks: a\\u\{[0-9A-F]+\}/);
    },
  );

  it("shows what titles, descriptions and names of choices hide, on one line each", () => {
    const requestedSchema = {
      type: "object",
      title: "toolgate\u202e\napproval",
      properties: {
        a: { type: "string", title: "T\u200b", description: "d\nd", enum: ["x"], enumNames: ["\x1b[1mX"] },
        b: { type: "string", oneOf: [{ const: "y", title: "Y\u2028" }] },
      },
    };
    const shown = JSON.stringify(shownQuestion("hub", { message: "m", requestedSchema }).requestedSchema);
    expect(shown).not.toMatch(/[\u200b\u202e\u2028]|\\n|\\u001b/);
    expect(shown).toContain("\\\\u{202E}");
    expect(shown).toContain('"enum":["x"]');
    const wide = { properties: { a: { description: "x".repeat(10_000) } } };
    expect(JSON.stringify(shownQuestion("hub", { message: "m", requestedSchema: wide })).length).toBeLessThan(
      1_000,
    );
  });

  it("is not shown where what goes back to the server hides something", () => {
    for (const schema of [
      { properties: { "a\u200b": {} } },
      { properties: { a: { enum: ["yes\u202e"] } } },
      { properties: { a: { default: "x\x1b" } } },
      { properties: { a: { oneOf: [{ const: "\u2066y", title: "Y" }] } } },
      { required: ["a\u00ad"] },
    ])
      expect(hidesInSchema(schema)).toBe(true);
    expect(hidesInSchema({ title: "\u202e", properties: { a: { description: "\n", enum: ["yes"] } } })).toBe(
      false,
    );
  });
});

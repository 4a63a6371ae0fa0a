// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell text
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { textOf } from "../../src/core/call/content.ts";
import { pluginGate } from "../unit/sources/plugins/handlers/plugin-gate.ts";
import { because } from "../unit/sources/stopped.ts";

const grep = {
  name: "search",
  inputSchema: {
    type: "object",
    properties: { pattern: { type: "string" }, directory: { type: "string", default: "." } },
    required: ["pattern"],
    additionalProperties: false,
  },
  handler: { type: "shell" as const, command: "grep -rn '{{pattern}}' {{directory}} || true" },
};

/** Short enough for the title of a test. */
const named = (value: string) =>
  JSON.stringify(value.length > 40 ? `${value.slice(0, 10)}... (${value.length})` : value);

describe("grep -rn '{{pattern}}' {{directory}} || true", () => {
  it("finds, finds nothing, and takes the default folder", async () => {
    const { text } = await pluginGate([grep]);
    expect(await text("search", { pattern: "needle", directory: "src" })).toBe("src/a.txt:2:two needle");
    expect(await text("search", { pattern: "needle" })).toBe("./src/a.txt:2:two needle");
    expect(await text("search", { pattern: "nothing like it" })).toBe("(no output)");
  });

  it.each(
    [
      "'; touch PWNED; '",
      "$(touch PWNED)",
      "`touch PWNED`",
      '"; touch PWNED; "',
      "\n touch PWNED\n",
      "x' || touch PWNED || '",
      "$(touch${IFS}PWNED)",
      "'\"$(touch PWNED)\"'",
      "x; touch PWNED #",
      "| touch PWNED",
      "& touch PWNED &",
      "> PWNED",
      "*",
      "~",
      "ünï😀\u202e",
      "${1}",
      "\\",
      "'",
      "x".repeat(10_000),
    ].map((value) => [named(value), value]),
  )("runs nothing of %s, as pattern or as folder", async (_, value) => {
    const { call, root } = await pluginGate([grep]);
    writeFileSync(join(root, "line.txt"), `${value.replaceAll("\n", " ")}\n`);
    const before = readdirSync(root);
    for (const input of [{ pattern: value }, { pattern: "x", directory: value }]) {
      const outcome = await call("search", input);
      // A pattern may be one that grep does not understand, a folder one that is not there, or (`~`) one with secrets in it: all are
      // told, none runs anything.
      const told = ["tool_failed", ...(value === "~" ? ["policy_denied"] : [])];
      expect(outcome.ok || told.includes(outcome.error.code), textOf(outcome.result)).toBe(true);
    }
    expect(readdirSync(root)).toEqual(before);
    expect(existsSync(join(root, "src", "PWNED"))).toBe(false);
  });

  it.each([
    ["-rf", /starts with "-"/],
    ["--include=*", /starts with "-"/],
    ["-", /starts with "-"/],
    ["a\0b", /NUL/],
    ["x".repeat(10_001), /10001 characters/],
    ["\ud83d", /surrogate/],
  ] as const)("refuses what %# holds as invalid input", async (value, message) => {
    const { failure, records } = await pluginGate([grep]);
    for (const input of [{ pattern: value }, { pattern: "x", directory: value }])
      expect(await failure("search", input)).toMatchObject(because("invalid_input", message));
    expect(records().map(({ notes }) => notes)).toEqual([undefined, undefined]);
  });
});

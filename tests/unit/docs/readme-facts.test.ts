/** Numbers in the README that change when something is added elsewhere. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allAgents } from "../../../src/agents/all-agents.ts";

const readme = readFileSync(join(import.meta.dirname, "../../../README.md"), "utf8");
const numbers = ["nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"];

describe("the README", () => {
  it("counts the agents that it does not name", () => {
    const [, named = "", word = ""] = /same rules hold in ([\w, ]+) and (\w+) others/.exec(readme) ?? [];
    // Claude Code is the one that the paragraph before is about.
    const others = allAgents.length - 1 - named.split(", ").length;
    expect(word).toBe(numbers[others - 9]);
  });
});

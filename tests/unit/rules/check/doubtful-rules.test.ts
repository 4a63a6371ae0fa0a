import { describe, expect, it } from "vitest";
import { allKnownTools } from "../../../../src/core/tool/known-tools.ts";
import { createGate } from "../../../../src/gate/create-gate.ts";
import { findDoubtfulRules } from "../../../../src/rules/check/doubtful-rules.ts";
import { explainForeignSyntax } from "../../../../src/rules/check/foreign-syntax.ts";
import type { Policy } from "../../../../src/rules/policies.ts";
import type { Route } from "../../../../src/rules/routes.ts";
import { words } from "../../../words.ts";

const route = (more: Partial<Route>): Route => ({
  name: "r",
  tool: "Bash",
  pattern: "x",
  message: "m",
  ...more,
});

function told(one: Partial<Route>): string[] {
  return findDoubtfulRules({ routes: [route(one)] }).map(({ message }) => message);
}

function toldOf(one: Partial<Policy>): string[] {
  const policy: Policy = { name: "p", tools: "Bash", action: "approve", ...one };
  return findDoubtfulRules({ policies: [policy] }).map(({ message }) => message);
}

describe("a tool that nobody has", () => {
  it.each([
    ["Bahs", "did you mean Bash?"],
    ["WebFecth", "did you mean WebFetch?"],
    ["fs.raed", "did you mean fs.read?"],
    ["BASH", "did you mean Bash?"],
    ["Frobnicate", "unless a plugin brings it"],
    ["Bsh*", "unless a plugin brings one"],
  ])("%s is told", (tool, advice) => {
    expect(told({ tool })).toEqual([expect.stringContaining(advice)]);
    expect(toldOf({ tools: ["Bash", tool] })).toEqual([expect.stringContaining(advice)]);
  });

  it.each([
    ...allKnownTools().flatMap(({ id, aliases }) => [id, ...aliases]),
    ...words("* mcp__github__create_issue mcp__* github.create_issue weather.forecast Web* fs.*"),
  ])("%s is left alone", (tool) => {
    expect(told({ tool, field: "x" })).toEqual([]);
  });

  it("is told of limits and hooks, too, and not of the rules that come with the package", () => {
    const hook = { name: "h", type: "PreToolUse", toolPatterns: "Bahs", command: "x" } as const;
    expect(
      findDoubtfulRules({ limits: [{ name: "l", tools: "Bahs", concurrent: 1 }], hooks: [hook] }).map(
        ({ rule }) => rule,
      ),
    ).toEqual(['limit "l"', 'hook "h"']);
    expect(told({ tool: "Bahs", tier: "shipped" })).toEqual([]);
  });

  it("is told without its name where nobody vouches for the file", () => {
    expect(findDoubtfulRules({ routes: [route({ tool: "Bahs" })] })[0]?.plain).toBe(
      "names a tool that nobody has; did you mean Bash?",
    );
  });
});

describe("a route without a field", () => {
  it("is told where the tool has nothing to look at", () => {
    expect(told({ tool: "TodoWrite" })).toEqual([expect.stringContaining("field: NAME")]);
    expect(told({ tool: "TodoWrite", field: "todos" })).toEqual([]);
    expect(told({ tool: ["WebSearch", "Task", "Skill", "Grep", "Bash"] })).toEqual([]);
  });

  it.each([
    ["WebSearch", { query: "forbidden" }],
    ["Task", { prompt: "forbidden", subagent_type: "x" }],
    ["Task", { description: "forbidden" }],
    ["Skill", { skill: "forbidden" }],
    ["some_tool", { pattern: "forbidden" }],
  ])("looks at what %s is about: %j", async (tool, input) => {
    await using gate = await createGate({ routes: [route({ tool, pattern: "forbidden" })] });
    expect((await gate.check({ tool, input })).verdict).toBe("deny");
  });

  it("looks at nothing else where the call has a command, URL or path", async () => {
    await using gate = await createGate({ routes: [route({ tool: "*", pattern: "forbidden" })] });
    const input = { command: "ls", description: "forbidden" };
    expect((await gate.check({ tool: "Bash", input })).verdict).toBe("abstain");
  });
});

it("a condition on something that the tool does not have is told", () => {
  const conditions = [{ type: "command", operator: "startsWith", value: "ls" }] as const;
  expect(toldOf({ tools: "Read", conditions })).toEqual([
    "has a condition on a command, and fs.read has none, so it never approves.",
  ]);
  expect(toldOf({ tools: ["Read", "Bash"], conditions })).toEqual([]);
  expect(toldOf({ tools: "mine.own", conditions })).toEqual([]);
  expect(toldOf({ tools: "write_stdin", conditions })).toEqual([]);
  const url = [{ type: "url", operator: "startsWith", value: "https://a" }] as const;
  expect(toldOf({ tools: "fs.move", action: "deny", conditions: url })).toEqual([
    "has a condition on a url, and fs.move has none, so it never denies.",
  ]);
  // What denies Bash holds for every tool whose input holds a command, and that may have a URL beside it.
  expect(toldOf({ tools: "Bash", action: "deny", conditions: url })).toEqual([]);
});

describe("a sign that JavaScript reads otherwise", () => {
  it.each([
    ["\\Agit push", "letter A"],
    ["git push\\Z", "letter Z"],
    ["git push\\z", "letter z"],
    ["[[:alpha:]]+", "[:alpha:]"],
    ["[^[:space:]]", "[:space:]"],
    ["a{,3}", "{0,3}"],
    ["\\p{Lu}", "flags: u"],
    ["\\Qa.b\\E", "letter Q"],
    ["a\\h+b", "letter h"],
    ["a\\Kb", "look-behind"],
    ["\\x{41}", "\\xHH"],
  ])("is told: %s", (pattern, advice) => {
    expect(told({ pattern })).toEqual([expect.stringContaining(advice)]);
    const conditions = [
      { type: "argument", field: "command", operator: "matches", value: ["x", pattern] },
    ] as const;
    expect(toldOf({ conditions })).toEqual([expect.stringContaining(advice)]);
  });

  it.each([
    "^git\\s+push\\b",
    "\\\\A",
    "[\\w.-]+@[a-z]{2,}",
    "a{0,3}",
    "{,x}",
    "[:a]",
    "(?<year>\\d{4})",
    "\\d\\D\\s\\S\\w\\W\\b\\B\\n\\r\\t\\f\\v\\0\\x41\\u0041\\cA\\/\\.\\-",
    "[\\]\\[]",
  ])("is not told of what JavaScript reads as everybody does: %s", (pattern) => {
    expect(explainForeignSyntax(pattern, "")).toBeUndefined();
  });

  it("is not told with flag u, where JavaScript itself refuses it or knows it", () => {
    expect(explainForeignSyntax("\\p{Lu}", "u")).toBeUndefined();
  });
});

describe("a route's message", () => {
  it.each([
    ["gh pr view $1", "gh pr view 12"],
    ["costs $5 and $$ and $& and $0", "costs $5 and $$ and $& and $0"],
    ["use awk '{print $2}'", "use awk '{print $2}'"],
    ["$12", "122"],
    ["$ 1 and $1", "$ 1 and 12"],
  ])("is printed as it is written, but for groups that exist: %s", async (message, shown) => {
    await using gate = await createGate({ routes: [route({ pattern: "view (\\d+)", message })] });
    expect((await gate.check({ tool: "Bash", input: { command: "view 12" } })).message).toBe(shown);
  });

  it("leaves out a group that took no part", async () => {
    await using gate = await createGate({ routes: [route({ pattern: "a(b)?(c)", message: "<$1|$2>" })] });
    expect((await gate.check({ tool: "Bash", input: { command: "ac" } })).message).toBe("<|c>");
  });
});

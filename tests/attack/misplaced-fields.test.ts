import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/input/json.ts";
import type { Policy } from "../../src/index.ts";
import { createTestGate } from "../../src/testing/index.ts";
import { noPush } from "./command-policies.ts";

const inside = (type: "path" | "url", value: string) => [{ type, operator: "inside", value } as const];
const denies: Policy[] = [
  noPush,
  { name: "no-source", tools: ["Write", "Edit"], action: "deny", conditions: inside("path", "src") },
  { name: "no-host", tools: "WebFetch", action: "deny", conditions: inside("url", "evil.example") },
];

async function check(policies: Policy[], tool: string, input: JsonObject): Promise<string> {
  const { gate } = await createTestGate({ policies });
  return (await gate.check({ tool, input }, { wait: false })).verdict;
}

describe("a rule holds for a tool that we know, also where its fields have other names", () => {
  it.each<[string, JsonObject]>([
    ["Bash", { command: "git push" }],
    ["Bash", { Command: "git push" }],
    ["Bash", { bash_command: "git push" }],
    ["Bash", { script: "git push" }],
    ["Bash", { argv: ["git", "push"] }],
    ["Bash", { options: { command: "git push" } }],
    ["Write", { filename: "src/a.ts", content: "x" }],
    ["Write", { FilePath: "src/a.ts", content: "x" }],
    ["Write", { destination_file: "src/a.ts", content: "x" }],
    ["Edit", { edits: [{ path: "src/a.ts", old_string: "a", new_string: "b" }] }],
    ["WebFetch", { Url: "https://evil.example/x" }],
  ])("%s %j", async (tool, input) => {
    expect(await check(denies, tool, input)).toBe("deny");
  });
});

it("what was found under another name is never approved", async () => {
  const all: Policy = { name: "all", tools: "Bash", action: "approve" };
  const tests: Policy = {
    ...all,
    conditions: [{ type: "command", operator: "startsWith", value: "npm test" }],
  };
  expect(await check([tests], "Bash", { command: "npm test" })).toBe("allow");
  expect(await check([tests], "Bash", { Command: "npm test" })).not.toBe("allow");
  expect(await check([tests], "Bash", { Command: "npm test", code: "rm -rf ~" })).not.toBe("allow");
});

it.each<[string, JsonObject]>([
  ["Bash", { restart: true }],
  ["Grep", { pattern: "git push", output_mode: "content" }],
  ["Glob", { pattern: "src/**" }],
  ["Write", { file_path: "docs/a.md", content: "git push", Command: "x" }],
])("nothing is in the way of %s %j", async (tool, input) => {
  expect(await check(denies, tool, input)).toBe("abstain");
});

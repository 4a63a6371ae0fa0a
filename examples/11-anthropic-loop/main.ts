/** An agent in one file: a loop with Anthropic's API, the built-in tools, rules from a file. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createGate } from "toolgate";
import { createScriptedModel } from "toolgate/testing";

const workspace = mkdtempSync(join(tmpdir(), "toolgate-agent-"));
writeFileSync(join(workspace, "todo.txt"), "1. Greet the world.\n");

const gate = await createGate({
  builtin: { workspace, categories: ["filesystem", "editing", "shell"] },
  rules: fileURLToPath(new URL("toolgate.yaml", import.meta.url)),
});

// The real endpoint is https://api.anthropic.com. This one follows a script: three turns with tools, then a text.
await using model = await createScriptedModel({
  script: [
    [
      { tool: "fs_read", input: { path: "todo.txt" } },
      { tool: "shell_exec", input: { command: "ls" } },
    ],
    {
      text: "I write it.",
      calls: [{ tool: "fs_write", input: { path: "hello.txt", content: "Hello, world." } }],
    },
    [
      { tool: "shell_exec", input: { command: "git add -A && git push origin main --force" } },
      { tool: "fs_write", input: { path: "/etc/motd", content: "Hello." } },
    ],
    "The greeting is in hello.txt; a person must push it.",
  ],
});

type Block = { type: "text"; text: string } | { type: "tool_use"; id: string; name: string; input: unknown };
const messages: object[] = [{ role: "user", content: "Do what todo.txt says, and publish it." }];
const headers = { "x-api-key": "none", "anthropic-version": "2023-06-01" };
for (;;) {
  const request = { model: "claude", max_tokens: 1_000, messages, tools: gate.definitions("anthropic") };
  const body = JSON.stringify(request);
  const response = await fetch(`${model.url}/v1/messages`, { method: "POST", headers, body });
  const { content } = (await response.json()) as { content: Block[] };
  messages.push({ role: "assistant", content });
  const results = await gate.dispatchAll(content, { sessionId: "task-1" });
  if (results.length === 0) break;
  messages.push({ role: "user", content: results });
}

const results = model.toolResults();
for (const { text, isError } of results) console.log(isError ? "refused:" : "done:", text);
assert.equal(results.map(({ isError }) => (isError ? "no" : "yes")).join(" "), "yes yes yes no no");
assert.match(results[3]?.text ?? "", /the work of others[\s\S]*no-forced-push, .*toolgate\.yaml:\d+/);
assert.equal(readFileSync(join(workspace, "hello.txt"), "utf8"), "Hello, world.");
await gate.close();
rmSync(workspace, { recursive: true });

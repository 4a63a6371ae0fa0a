/** A chat in 50 lines: a model behind any endpoint, the built-in tools, and the gate between them. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createChatRunner, createGate, createSessions } from "toolgate";
import { createScriptedModel } from "toolgate/testing";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-chat-")));
writeFileSync(join(cwd, "todo.txt"), "Greet the world.\n");

// The real endpoint is https://api.anthropic.com, or any that speaks like it. This one follows a script.
const hello = { tool: "fs_write", input: { path: "hello.txt", content: "Hello, world." } };
const outside = { tool: "fs_write", input: { path: "/etc/motd", content: "Hello." } };
await using model = await createScriptedModel({
  script: [
    { text: "I look.", calls: [{ tool: "fs_read", input: { path: "todo.txt" } }] },
    [hello, outside],
    "The greeting is in hello.txt; the other place is not mine.",
    "You're welcome.",
  ],
});

const gate = await createGate({
  builtin: { workspace: cwd, categories: ["filesystem", "editing"] },
  policies: [{ name: "write-here", tools: "fs.write", action: "approve" }],
});
const key = () => process.env.ANTHROPIC_API_KEY ?? "none";
const chat = createChatRunner({ api: "anthropic", baseUrl: model.url, model: "claude", key });
const sessions = await createSessions(gate, { runners: [chat], roots: [cwd] });

const ann = { id: "ann", capabilities: ["*"] };
const started = await sessions.start({ prompt: "Do what todo.txt says.", runner: "chat", cwd }, ann);
assert(started.ok);
const { id } = started.session;
const said: string[] = [];
const leaving = new AbortController();
for await (const { event, data } of sessions.events(id, { signal: leaving.signal })) {
  if (event === "message") said.push(`${data.role}: ${data.text}`);
  if (event === "tool_result") console.log(`  ${data.tool}: ${data.ok ? "done" : data.code}`);
  if (event === "completed" && data.turn === 1) await sessions.send(id, { text: "Thank you." }, ann);
  if (event === "completed" && data.turn === 2) leaving.abort();
}

console.log(said.join("\n"));
assert.equal(said.join("\n").match(/^assistant: /gm)?.length, 3);
assert.equal(said.at(-1), "assistant: You're welcome.");
const results = model.toolResults().map(({ isError }) => isError);
assert.deepEqual(results, [false, false, true]);
assert.equal(readFileSync(join(cwd, "hello.txt"), "utf8"), "Hello, world.");
await sessions.close();
await gate.close();
rmSync(cwd, { recursive: true });

/** Claude by its Agent SDK, with the gate as its only executor: a rule denies, a person answers, a second turn goes on. */
import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClaudeRunner, createGate, createSessions } from "toolgate";
import { createScriptedModel } from "toolgate/testing";

const home = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-claude-")));
const workspace = join(home, "project");
mkdirSync(workspace);
writeFileSync(join(workspace, "todo.txt"), "1. Greet the world.\n");

// The model's real endpoint is https://api.anthropic.com. This one follows a script.
const ours = (tool: string, input: Record<string, string>) => ({ tool: `mcp__toolgate__${tool}`, input });
await using model = await createScriptedModel({
  script: [
    { text: "I look.", calls: [ours("fs_read", { path: "todo.txt" })] },
    ours("fs_write", { path: "todo.txt", content: "" }),
    ours("fs_write", { path: "hello.txt", content: "Hello, world.\n" }),
    "The greeting is in hello.txt.",
    "You are welcome.",
  ],
});

const runner = createClaudeRunner({
  // For this example only: where the SDK is, if not beside toolgate. A home of its own leaves your settings alone.
  lookIn: process.env.CLAUDE_SDK_FOLDER ? [process.env.CLAUDE_SDK_FOLDER] : [],
  executable: process.env.CLAUDE_EXECUTABLE,
  env: { HOME: home, CLAUDE_CONFIG_DIR: home, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "none" },
});
const missing = await runner.explainMissing?.();
if (missing !== undefined) {
  console.log(`not run: ${missing}`);
  rmSync(home, { recursive: true });
  process.exit(0);
}

const gate = await createGate({
  builtin: { workspace, categories: ["filesystem", "editing"], stateFolder: join(home, "state") },
  approver: "desk",
  policies: [
    {
      name: "keep-the-list",
      tools: "fs.write",
      action: "deny",
      conditions: [{ type: "path", operator: "matches", value: "todo" }],
      reason: "The list is written by people.",
    },
  ],
});
// What no rule decides is asked. Here the person is a program that says yes.
gate.events.on("approval-request", ({ request }) => {
  console.log(`asked: ${request.toolId} by ${request.caller}`);
  void gate.approvals.answer(request.id, { decision: "approve", by: "ann" });
});

const sessions = await createSessions(gate, { runners: [runner], roots: [workspace] });
const ann = { id: "ann", capabilities: ["*"] };
const started = await sessions.start({ prompt: "Do what todo.txt says.", runner: "claude" }, ann);
assert(started.ok);
const { id } = started.session;

async function turnOver(turn: number): Promise<void> {
  for await (const { event, data } of sessions.events(id, { signal: AbortSignal.timeout(50_000) })) {
    if (event === "message" && data.turn === turn) console.log(`${data.role}: ${data.text}`);
    if (event === "tool_result" && data.turn === turn)
      console.log(`${data.tool}: ${data.ok ? "done" : data.code}`);
    if (event === "session" && data.turn === turn && data.state === "idle") return;
  }
}

await turnOver(1);
await sessions.send(id, { text: "Thank you." }, ann);
await turnOver(2);

const results = (await sessions.items(id)).filter(({ kind }) => kind === "tool_result");
assert.deepEqual(
  results.map(({ body }) => [body.tool, body.code ?? "ok"]),
  [
    ["fs.read", "ok"],
    ["fs.write", "policy_denied"],
    ["fs.write", "ok"],
  ],
);
assert.match(model.toolResults()[1]?.text ?? "", /written by people/);
assert.equal(readFileSync(join(workspace, "hello.txt"), "utf8"), "Hello, world.\n");
assert.notEqual(readFileSync(join(workspace, "todo.txt"), "utf8"), "");

const agent = (await sessions.get(id))?.agentProcess;
await sessions.close();
await gate.close();
assert(agent !== undefined);
assert(!existsSync(`/proc/${agent.pid}/stat`), "The agent's process is gone with its session.");
rmSync(home, { recursive: true });

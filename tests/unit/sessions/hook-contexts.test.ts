import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Hook } from "../../../src/core/call/hook.ts";
import { defineTool } from "../../../src/core/tool/tool.ts";
import { createGate } from "../../../src/gate/create-gate.ts";
import { createSessions } from "../../../src/sessions/create-sessions.ts";
import { scriptedRunner } from "./scripted-runner.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "contexts-")));
const ann = { id: "ann", capabilities: ["*"] };
const echo = defineTool({
  id: "x.echo",
  description: "Says it again.",
  permission: "read",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  run: ({ text }) => text,
});

async function run(hooks: readonly Hook[], calls: readonly string[], more: object = {}) {
  const gate = await createGate({ tools: [echo], hooks, roots: [folder] });
  const told: unknown[] = [];
  const runner = scriptedRunner(async ({ signal }, session) => {
    for (const [at, text] of calls.entries()) {
      signal.throwIfAborted();
      const call = { tool: "x_echo", input: { text }, toolUseId: `t${at}`, messageId: "m1", signal };
      told.push((await session.calls.run(call)).content);
    }
    return "end";
  });
  await using sessions = await createSessions(gate, { runners: [runner], roots: [folder] });
  const started = await sessions.start({ prompt: "go", runner: "scripted", single: true, ...more }, ann);
  const id = started.ok ? started.session.id : "";
  const reading = new AbortController();
  for await (const { event, data } of sessions.events(id, { signal: reading.signal }))
    if (event === "session" && data.state === "ended") reading.abort();
  return { told, items: await sessions.items(id), session: await sessions.get(id) };
}

it("labels what a hook adds to the conversation with the hook's name", async () => {
  const before: Hook = {
    name: "team-style",
    type: "PreToolUse",
    toolPatterns: ["*"],
    run: () => ({ contextModification: "Use tabs." }),
  };
  const after: Hook = {
    name: "reviewer",
    type: "PostToolUse",
    toolPatterns: ["*"],
    run: () => ({ contextModification: "Well done." }),
  };
  const { told, items } = await run([before, after], ["hi"]);
  expect(told).toEqual([
    [
      { type: "text", text: "hi" },
      { type: "text", text: "[hook team-style] Use tabs." },
      { type: "text", text: "[hook reviewer] Well done." },
    ],
  ]);
  expect(JSON.stringify(items)).toContain("[hook team-style] Use tabs.");
});

it("ends the turn when a hook that saw a result cancels, and says which hook", async () => {
  const stopper: Hook = {
    name: "stopper",
    type: "PostToolUse",
    toolPatterns: ["*"],
    run: () => ({ cancel: true, errorMessage: "Enough." }),
  };
  const { told, items, session } = await run([stopper], ["one", "two"]);
  expect(told).toHaveLength(1);
  expect(items.at(-1)).toMatchObject({
    kind: "completed",
    body: { stopReason: "hook_ended_task", message: "Enough." },
  });
  expect(session).toMatchObject({ state: "ended", end: "completed" });
});

it("refuses by name in plan mode, and the turn goes on", async () => {
  const { items } = await run([], ["one"], { mode: "plan" });
  expect(items.map(({ kind }) => kind)).toEqual([
    "message",
    "tool_use",
    "tool_result",
    "message",
    "completed",
  ]);
});

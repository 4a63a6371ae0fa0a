import { describe, expect, it } from "vitest";
import { sessionKey } from "../../../../../src/core/call/session-key.ts";
import { createComplete } from "../../../../../src/sources/builtin/task/complete.ts";
import { createHandoff } from "../../../../../src/sources/builtin/task/handoff.ts";
import type { TaskEnd } from "../../../../../src/sources/builtin/task/ports.ts";
import { createSessionState } from "../../../../../src/sources/builtin/task/session-state.ts";
import { describeInput } from "../describe-input.ts";
import { taskGate } from "./task-gate.ts";

const state = createSessionState();
const session = sessionKey("local", "s1");
describeInput("task.complete", () => createComplete({ state }), {
  good: { summary: "All done." },
  bad: [{}, { summary: "" }, { summary: 1 }, { summary: "a", result: "b" }],
});
describeInput("task.handoff", () => createHandoff({ state }), {
  good: { summary: "So far." },
  bad: [{}, { summary: "" }, { summary: ["x"] }],
});

describe("task.complete", () => {
  it("tells the session's owner, and says what is still open", async () => {
    const ends: TaskEnd[] = [];
    const { say, state: sessions } = await taskGate({ onComplete: (end) => ends.push(end) });
    await say("task.todo", { add: ["a", "b"], update: [] });
    await say("task.todo", { update: [{ id: 1, status: "done" }] });
    expect(await say("task.complete", { summary: "Did a." })).toBe(
      "The task is done. 1 items of the list are still open.",
    );
    expect(ends).toEqual([
      { sessionId: "s1", caller: "local", callId: expect.any(String), summary: "Did a." },
    ]);
    expect(sessions.of(session).completed).toBe("Did a.");
    await say("task.todo", { update: [{ id: 2, status: "done" }] });
    expect(await say("task.complete", { summary: "Did b." })).toBe("The task is done.");
  });

  it("runs no command at the end, and says where commands are run", async () => {
    const { say, state: sessions } = await taskGate();
    const said = await say("attempt_completion", { result: "Done.", command: "open index.html" });
    expect(said).toMatch(/^invalid_input .*shell\.exec/);
    expect(sessions.of(session).completed).toBeUndefined();
  });

  it.each([
    ["attempt_completion", { result: "Done.", task_progress: "- [x] a" }],
    ["attempt_completion", { result: "Done.", command: "" }],
    ["submit_and_exit", { summary: "Done.", verified: true }],
    ["complete_task", { result: "Done." }],
  ])("takes the end as %s writes it", async (name, input) => {
    const { say, state: sessions } = await taskGate();
    expect(await say(name, input)).toBe("The task is done.");
    expect(sessions.of(session).completed).toBe("Done.");
  });
});

describe("task.handoff", () => {
  it.each([
    ["task.handoff", { summary: "Goal: x." }],
    ["condense", { context: "Goal: x.", task_progress: "- [ ] a" }],
    ["summarize_task", { context: "Goal: x." }],
  ])("keeps the summary for the next context, called %s", async (name, input) => {
    const { say, state: sessions } = await taskGate();
    await say("task.handoff", { summary: "older" });
    expect(await say(name, input)).toBe("Kept for the next context.");
    expect(sessions.of(session).handoff).toBe("Goal: x.");
    expect(sessions.of(sessionKey("local", "s2")).handoff).toBeUndefined();
  });
});

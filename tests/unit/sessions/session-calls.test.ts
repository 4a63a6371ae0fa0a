import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Hook } from "../../../src/core/call/hook.ts";
import type { GateOptions } from "../../../src/gate/gate-options.ts";
import type { AgentCall, SessionCalls } from "../../../src/sessions/session-calls.ts";
import { folder, sessionsWorld, tool } from "./sessions-world.ts";

const echo = tool("x.echo", ({ text }) => text, ["text"]);

/** The agent has these texts said again by a tool of the gate, one after the other. */
async function echoed(hooks: readonly Hook[], texts: readonly string[], more: object = {}) {
  const told: unknown[] = [];
  const { run } = await sessionsWorld(
    async ({ signal }, session) => {
      for (const [at, text] of texts.entries()) {
        signal.throwIfAborted();
        const call = { tool: "x_echo", input: { text }, toolUseId: `t${at}`, messageId: "m1", signal };
        told.push((await session.calls.run(call)).content);
      }
      return "end";
    },
    { gate: { tools: [echo], hooks } },
  );
  return { told, ...(await run(more)) };
}

const hook = (name: string, type: "PreToolUse" | "PostToolUse", run: (event: object) => object): Hook =>
  ({ name, type, toolPatterns: ["*"], run }) as Hook;

describe("a session whose agent calls tools of the gate", () => {
  it("labels what a hook adds to the conversation with the hook's name", async () => {
    const before = hook("team-style", "PreToolUse", () => ({ contextModification: "Use tabs." }));
    const after = hook("reviewer", "PostToolUse", () => ({ contextModification: "Well done." }));
    const { told, items } = await echoed([before, after], ["hi"]);
    const texts = ["hi", "[hook team-style] Use tabs.", "[hook reviewer] Well done."];
    expect(told).toEqual([texts.map((text) => ({ type: "text", text }))]);
    expect(JSON.stringify(items)).toContain("[hook team-style] Use tabs.");
  });

  it("ends the turn when a hook that saw a result cancels, and says which hook", async () => {
    const stopper = hook("stopper", "PostToolUse", () => ({ cancel: true, errorMessage: "Enough." }));
    const { told, items, session } = await echoed([stopper], ["one", "two"]);
    expect(told).toHaveLength(1);
    const body = { stopReason: "hook_ended_task", message: "Enough." };
    expect(items.at(-1)).toMatchObject({ kind: "completed", body });
    expect(session).toMatchObject({ state: "ended", end: "completed" });
  });

  it("refuses by name in plan mode, and the turn goes on", async () => {
    const { items } = await echoed([], ["one"], { mode: "plan" });
    expect(items.map(({ kind }) => kind).join(" ")).toBe("message tool_use tool_result message completed");
  });
});

type OwnScript = (calls: SessionCalls, call: (tool: string, input: object) => AgentCall) => Promise<void>;

/** Runs one turn of an agent that keeps its own tools, and answers how the turn ended. */
async function turn(script: OwnScript, gate: GateOptions = {}, mode: "act" | "plan" = "act") {
  const { run } = await sessionsWorld(
    async ({ signal }, { calls }) => {
      let uses = 0;
      await script(calls, (name, input) => ({ tool: name, input, toolUseId: `toolu_${++uses}`, signal }));
      signal.throwIfAborted();
      return "Done.";
    },
    { gate },
  );
  const { items } = await run({ tools: "agent", mode });
  return items.map(({ kind, body }) => `${kind} ${body.code ?? body.stopReason ?? ""}`.trim()).join(", ");
}

describe("a session whose agent keeps its own tools", () => {
  const notes = join(folder, "notes.txt");
  writeFileSync(notes, "buy milk\n");

  it.for([
    ["Read", { file_path: notes }, "allow"],
    ["Write", { file_path: notes, content: "" }, "deny no_approver"],
    ["Bash", { command: "cat notes.txt" }, "allow"],
    ["Bash", { command: "rm notes.txt" }, "deny no_approver"],
    ["SomethingNew", {}, "deny no_approver"],
  ] as const)(
    "lets it read in its folder, and asks about the rest: %s %j: %s",
    async ([name, input, said]) => {
      let seen = "";
      await turn(async (calls, call) => {
        const { verdict, error } = await calls.check(call(name, input));
        seen = `${verdict} ${error?.code ?? ""}`.trim();
      });
      expect(seen).toBe(said);
    },
  );

  it("is as strict as checkDefault says", async () => {
    let code: unknown;
    const look: OwnScript = async (calls, call) => {
      code = (await calls.check(call("Read", { file_path: notes }))).error?.code;
    };
    await turn(look, { checkDefault: "deny" });
    expect(code).toBe("policy_denied");
  });

  it("lets harmless tools run where no rule speaks, also in plan mode", async () => {
    const seen: unknown[] = [];
    const script: OwnScript = async (calls, call) => {
      for (const name of ["TodoWrite", "Agent"])
        seen.push((await calls.check({ ...call(name, {}), isHarmless: true })).verdict);
    };
    await turn(script, { policies: [{ name: "no-agents", tools: "Agent", action: "deny" }] });
    await turn(script, {}, "plan");
    expect(seen).toEqual(["abstain", "deny", "abstain", "abstain"]);
  });

  it("shows hooks what came of a call; one that ends the task ends the turn", async () => {
    const events: object[] = [];
    const watch = hook("watch", "PostToolUse", (event) => {
      events.push(event);
      return { contextModification: "seen", cancel: true, errorMessage: "Enough." };
    });
    let told: unknown;
    const script: OwnScript = async (calls, call) => {
      const one = call("Bash", { command: "ls" });
      await calls.check(one);
      const ran = { result: { stdout: "notes.txt" }, durationMs: 3 };
      told = (await calls.ended(one, { ok: true, text: "notes.txt", ran })).contexts;
    };
    const log = await turn(script, { hooks: [watch] });
    expect(told).toEqual(["seen", "Enough."]);
    expect(events).toMatchObject([{ postToolUse: { success: true, result: { stdout: "notes.txt" } } }]);
    expect(log).toBe("message, tool_use, tool_result, completed hook_ended_task");
  });
});

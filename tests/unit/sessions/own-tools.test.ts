/** Calls that an agent runs by itself: judged by the gate alone, and looked at by hooks when they have run. */
import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createGate } from "../../../src/gate/create-gate.ts";
import type { GateOptions } from "../../../src/gate/gate-options.ts";
import { createSessions } from "../../../src/sessions/create-sessions.ts";
import type { AgentCall, SessionCalls } from "../../../src/sessions/session-calls.ts";
import { scriptedRunner } from "./scripted-runner.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "own-tools-")));
writeFileSync(join(folder, "notes.txt"), "buy milk\n");

/** Runs one turn of an agent that keeps its own tools, and answers how the turn ended. */
async function turn(
  script: (calls: SessionCalls, call: (tool: string, input: object) => AgentCall) => Promise<void>,
  options: GateOptions = {},
  mode: "act" | "plan" = "act",
): Promise<string> {
  const gate = await createGate({ roots: [folder], ...options });
  const runner = scriptedRunner(async ({ signal }, { calls }) => {
    let uses = 0;
    await script(calls, (tool, input) => ({ tool, input, toolUseId: `toolu_${++uses}`, signal }));
    signal.throwIfAborted();
    return "Done.";
  });
  const sessions = await createSessions(gate, { runners: [runner], roots: [folder] });
  onTestFinished(async () => {
    await sessions.close();
    await gate.close();
  });
  const started = await sessions.start(
    { prompt: "go", runner: "scripted", tools: "agent", single: true, mode },
    { id: "ann", capabilities: ["*"] },
  );
  if (!started.ok) throw new Error(started.message);
  const leaving = new AbortController();
  for await (const { event, data } of sessions.events(started.session.id, { signal: leaving.signal }))
    if (event === "session" && data.state === "ended") leaving.abort();
  const items = await sessions.items(started.session.id);
  return items.map(({ kind, body }) => `${kind} ${body.code ?? body.stopReason ?? ""}`.trim()).join(", ");
}

describe("a session whose agent keeps its own tools", () => {
  it("lets it read in its folder, and asks about the rest", async () => {
    const seen: unknown[] = [];
    await turn(async (calls, call) => {
      for (const one of [
        call("Read", { file_path: join(folder, "notes.txt") }),
        call("Write", { file_path: join(folder, "notes.txt"), content: "" }),
        call("Bash", { command: "cat notes.txt" }),
        call("Bash", { command: "rm notes.txt" }),
        call("SomethingNew", {}),
      ]) {
        const { verdict, error } = await calls.check(one);
        seen.push(`${one.tool} ${verdict} ${error?.code ?? ""}`.trim());
      }
    });
    expect(seen).toEqual([
      "Read allow",
      "Write deny no_approver",
      "Bash allow",
      "Bash deny no_approver",
      "SomethingNew deny no_approver",
    ]);
  });

  it("is as strict as checkDefault says", async () => {
    await turn(
      async (calls, call) => {
        const { error } = await calls.check(call("Read", { file_path: join(folder, "notes.txt") }));
        expect(error?.code).toBe("policy_denied");
      },
      { checkDefault: "deny" },
    );
  });

  it("lets harmless tools run where no rule speaks, also in plan mode", async () => {
    const seen: unknown[] = [];
    const script = async (calls: SessionCalls, call: (tool: string, input: object) => AgentCall) => {
      for (const tool of ["TodoWrite", "Agent"])
        seen.push((await calls.check({ ...call(tool, {}), isHarmless: true })).verdict);
    };
    const noAgents = { name: "no-agents", tools: "Agent", action: "deny" } as const;
    await turn(script, { policies: [noAgents] });
    await turn(script, {}, "plan");
    expect(seen).toEqual(["abstain", "deny", "abstain", "abstain"]);
  });

  it("shows hooks what came of a call; one that ends the task ends the turn", async () => {
    const events: object[] = [];
    const log = await turn(
      async (calls, call) => {
        const one = call("Bash", { command: "ls" });
        await calls.check(one);
        const ran = { result: { stdout: "notes.txt" }, durationMs: 3 };
        const { contexts } = await calls.ended(one, { ok: true, text: "notes.txt", ran });
        expect(contexts).toEqual(["seen", "Enough."]);
      },
      {
        hooks: [
          {
            name: "watch",
            type: "PostToolUse",
            toolPatterns: ["*"],
            run: (event) => {
              events.push(event);
              return { contextModification: "seen", cancel: true, errorMessage: "Enough." };
            },
          },
        ],
      },
    );
    expect(events).toMatchObject([{ postToolUse: { success: true, result: { stdout: "notes.txt" } } }]);
    expect(log).toBe("message, tool_use, tool_result, completed hook_ended_task");
  });
});

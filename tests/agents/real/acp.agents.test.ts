/** The acp runner with real agents and a scripted model: every call judged, questions answered by a person, cancelled, gone on with. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAcpRunner, createGate, createSessions, type SessionEvent } from "../../../src/index.ts";
import { createScriptedModel, type ModelRequest, type ScriptedReply } from "../../../src/testing/index.ts";
import { listProcesses } from "../run-process.ts";
import { createWorkbench, root } from "../workbench.ts";
import { type AcpAgentCase, acpAgents } from "./acp-agents.ts";

const ann = { id: "ann", capabilities: ["*"] };

const rules = `upstreams:
  store:
    command: node
    args: [${join(root, "tests/agents/mcp-server.mjs")}, store.log]
    cwd: .
plugins: { folders: [tools] }
policies:
  echo: { tools: shell.exec, action: approve, conditions: [{ type: command, operator: startsWith, value: echo }] }
  no-rm: { tools: shell.exec, action: deny, reason: Nothing is removed here., conditions: [{ type: command, operator: startsWith, value: rm }] }
  look: { tools: store__look, action: approve }
  greet: { tools: greet, action: approve }
`;

const greet = {
  name: "greeting",
  version: "1.0.0",
  tools: [
    {
      name: "greet",
      description: "Greets.",
      inputSchema: { type: "object", properties: { who: { type: "string" } }, required: ["who"] },
      handler: { type: "shell", command: "echo hello {{who}}" },
    },
  ],
};

type Script = (request: ModelRequest, step: number) => ScriptedReply | Promise<ScriptedReply>;

async function world(one: AcpAgentCase, script: Script) {
  const { agent } = one;
  const bench = createWorkbench({ variables: agent.variables });
  bench.write("project/notes.txt", "buy milk\n");
  bench.write("tools/greet.json", greet);
  const isAside = agent.isAside ?? (({ tools }: ModelRequest) => tools.length === 0);
  const model = await createScriptedModel({
    script: (request) => {
      if (isAside(request)) return "Aside.";
      return script(request, request.messages.flatMap(({ toolResults }) => toolResults).length);
    },
  });
  await agent.configure(bench, { modelUrl: model.url, mcpServers: {} });
  const gate = await createGate({
    builtin: { workspace: bench.project, stateFolder: bench.path("state") },
    enable: { enabledCategories: ["shell", "editing"] },
    rules: bench.write("toolgate.yaml", rules),
    approver: "desk",
  });
  const told: string[] = [];
  const runner = createAcpRunner({ name: agent.name, ...one.options(bench, model.url) });
  const sessions = await createSessions(gate, {
    runners: [runner],
    roots: [bench.project],
    tell: (message) => void told.push(message),
  });
  onTestFinished(async () => {
    await sessions.close();
    await gate.close();
    await model.close();
  });
  return {
    ...{ bench, gate, sessions, model, told },
    async start(more: object = {}) {
      const request = { prompt: "Do it.", runner: agent.name, tools: "agent" as const, ...more };
      const result = await sessions.start(request, ann);
      if (!result.ok) throw new Error(result.message);
      return result.session.id;
    },
    /** Until this state of this turn; everything that was told so far if it never comes. */
    async until(id: string, state: string, turn = 1) {
      const leaving = AbortSignal.timeout(60_000);
      const events: SessionEvent[] = [];
      for await (const event of sessions.events(id, { signal: leaving, deltas: false })) {
        events.push(event);
        const { data } = event;
        if (event.event === "session" && data.state === state && Number(data.turn) >= turn) return;
      }
      throw new Error(
        `never ${state}: ${JSON.stringify(events.map(({ data }) => data)).slice(-3_000)}\n${told.join("\n")}`,
      );
    },
    async log(id: string) {
      return (await sessions.items(id)).map(({ kind, body }) => `${kind} ${JSON.stringify(body)}`).join("\n");
    },
    heard: () => JSON.stringify(model.requests.at(-1)?.body),
  };
}

/** Processes whose command line holds this word. */
function running(word: string): number[] {
  return listProcesses().flatMap(({ pid, words }) => (words.join(" ").includes(word) ? [pid] : []));
}

async function waitFor(what: () => boolean | Promise<boolean>, told: () => Promise<string>): Promise<void> {
  for (let left = 400; left > 0; left--) {
    if (await what()) return;
    await sleep(100);
  }
  throw new Error(`It never happened. ${await told()}`);
}

for (const one of acpAgents) {
  const { agent, refusal } = one;
  const { calls } = agent;
  describe.skipIf(agent.find() === undefined)(
    `${agent.name} as a runner over ACP`,
    { timeout: 120_000 },
    () => {
      it("has each of its own calls judged by the gate", async () => {
        const here = await world(one, (_, step) => {
          const steps = [
            calls.shell("echo one-two"),
            calls.read?.(here.bench.path("project/notes.txt")),
            calls.write?.(here.bench.path("project/written.txt"), "by the agent\n"),
          ];
          const call = steps[step];
          return call === undefined ? "Done." : { ...call, id: `call_${step}` };
        });
        const id = await here.start();
        await waitFor(
          async () => (await here.gate.approvals.pending()).length > 0,
          () => here.log(id),
        );
        const [question] = await here.gate.approvals.pending();
        expect(question).toMatchObject({ caller: `agent:${id}`, toolId: "fs.edit" });
        await here.gate.approvals.answer(question?.id ?? "", { decision: "approve", by: "ann" });
        await here.until(id, "idle");
        const log = await here.log(id);
        expect(log, log).toContain('"stopReason":"end_turn"');
        expect(here.bench.read("project/written.txt")).toBe("by the agent\n");
        expect(log).toMatch(/tool_use .*"tool":"shell.exec".*echo one-two/);
        expect(log).toMatch(/tool_use .*"tool":"fs.read".*notes.txt/);
        expect(log).toMatch(/tool_use .*"tool":"fs.edit".*written.txt/);
        expect(log).toMatch(/approval .*"state":"approved"/);
        expect(here.heard()).toContain("buy milk");
      });

      it("is told no, and the file stays", async () => {
        const here = await world(one, (_, step) =>
          step === 0 ? { ...calls.shell("rm notes.txt"), id: "call_0" } : "I was not allowed to.",
        );
        const id = await here.start();
        await here.until(id, "idle");
        const log = await here.log(id);
        expect(log).toContain("Nothing is removed here.");
        expect(existsSync(here.bench.path("project/notes.txt"))).toBe(true);
        await here.sessions.send(id, { text: "And now?" }, ann);
        await here.until(id, "idle", 2);
        // The agent's words for it: the protocol has no place for ours.
        expect(here.heard()).toMatch(new RegExp(refusal ?? "reject", "i"));
      });

      it("uses built-in, plugin and upstream tools of the gate, and none of its own", async () => {
        const here = await world(one, (_, step) => {
          const steps = [
            { tool: one.ofGate("fs_read"), input: { path: "notes.txt" } },
            { tool: one.ofGate("greet"), input: { who: "ann" } },
            { tool: one.ofGate("store__look"), input: {} },
            calls.shell("echo no > own.txt"),
          ];
          const call = steps[step];
          return call === undefined ? "Done." : { ...call, id: `call_${step}` };
        });
        const id = await here.start({ tools: true });
        await here.until(id, "idle");
        const log = await here.log(id);
        expect(log).toMatch(/tool_result .*"tool":"fs.read".*buy milk/);
        expect(log).toMatch(/tool_result .*"tool":"greet".*hello ann/);
        expect(log).toMatch(/tool_result .*"tool":"store__look".*look ran/);
        expect(log).toContain("This session does not offer the agent's own tools.");
        expect(existsSync(here.bench.path("project/own.txt"))).toBe(false);
        const asked = JSON.stringify(here.model.requests.map(({ body }) => body));
        for (const said of ["buy milk", "hello ann", "look ran"]) expect(asked).toContain(said);
      });

      it("is cancelled while its model answers, and goes on with the next message", async () => {
        const never = Promise.withResolvers<string>();
        onTestFinished(() => never.resolve("late"));
        let isFirst = true;
        const here = await world(one, () => {
          if (!isFirst) return "Here again.";
          isFirst = false;
          return never.promise;
        });
        const id = await here.start();
        await waitFor(
          () => !isFirst,
          () => here.log(id),
        );
        await here.sessions.cancel(id, "ann", { turn: 1 });
        expect((await here.sessions.get(id))?.state).toBe("idle");
        await here.sessions.send(id, { text: "Go on." }, ann);
        await here.until(id, "idle", 2);
        expect(await here.log(id)).toContain("Here again.");
      });

      it("is cancelled while a tool runs, with the tool's processes", async () => {
        const here = await world(one, (_, step) =>
          step === 0 ? { ...calls.shell("echo start && sleep 4711.25"), id: "call_0" } : "Done.",
        );
        const id = await here.start();
        await waitFor(
          async () => (await here.gate.approvals.pending()).length > 0 || running("4711.25").length > 0,
          () => here.log(id),
        );
        for (const { id: question } of await here.gate.approvals.pending())
          await here.gate.approvals.answer(question, { decision: "approve", by: "ann" });
        await waitFor(
          () => running("4711.25").length > 0,
          () => here.log(id),
        );
        await here.sessions.cancel(id, "ann");
        expect(running("4711.25")).toEqual([]);
        expect(running(here.bench.project)).toEqual([]);
        expect(await here.sessions.get(id)).toMatchObject({ state: "ended", end: "cancelled" });
      });

      it("is cancelled while it waits for a person, and is gone on with after it has ended", async () => {
        const here = await world(one, ({ messages }) => {
          const said = JSON.stringify(messages);
          if (said.includes("What did I say")) return "You said: Do it.";
          return said.includes("Now make") ? { ...calls.shell("make me"), id: "call_0" } : "Noted.";
        });
        const id = await here.start();
        await here.until(id, "idle");
        await here.sessions.send(id, { text: "Now make." }, ann);
        await here.until(id, "waiting", 2);
        await here.sessions.cancel(id, "ann");
        expect(await here.gate.approvals.pending()).toEqual([]);
        const before = (await here.sessions.items(id)).length;
        await here.sessions.send(id, { text: "What did I say?", resume: true }, ann);
        await here.until(id, "idle", 3);
        const after = (await here.sessions.items(id)).slice(before);
        const kinds = after.map(({ kind }) => kind).filter((kind) => kind !== "usage");
        if (!one.resumes) {
          expect(kinds).toEqual(["message", "error"]);
          expect(JSON.stringify(after)).toContain("agent_session_gone");
          return;
        }
        // What the agent says again when it loads its session is not in the log again.
        expect(kinds, JSON.stringify(after)).toEqual(["message", "message", "completed"]);
        expect(JSON.stringify(after)).toContain("You said: Do it.");
        // The agent went on with its own session: its model sees the first prompt again.
        expect(here.heard()).toContain("Do it.");
      });
    },
  );
}

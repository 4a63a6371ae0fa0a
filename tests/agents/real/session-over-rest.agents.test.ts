/** Real agents that a real server runs: questions wait although nobody is connected, and REST answers them. */
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import type { ModelRequest, ScriptedCall, ScriptedReply } from "../../../src/testing/index.ts";
import { agentSdk } from "../agent-sdk.ts";
import { client, type Workbench } from "../workbench.ts";
import { acpAgents } from "./acp-agents.ts";
import { hasSdk } from "./claude-session.ts";
import { type ServedAgent, serveAgent } from "./served-session.ts";

interface AgentCase extends Omit<ServedAgent, "script"> {
  readonly name: string;
  readonly isHere: boolean;
  readonly isAside?: ((request: ModelRequest) => boolean) | undefined;
  /** How its model runs a command: with the agent's own tool, and with the gate's. */
  shell(command: string): ScriptedCall;
  ofGate(tool: string): string;
  /** The protocol tells a model nothing of why one of the agent's own calls was refused. */
  readonly hearsWhy: boolean;
}

const cases: readonly AgentCase[] = [
  {
    name: "the Claude Agent SDK",
    isHere: hasSdk,
    runner: (bench, modelUrl) => {
      installSdk(bench);
      return { type: "claude", executable: client, env: { ...bench.env, ANTHROPIC_BASE_URL: modelUrl } };
    },
    shell: (command) => ({ tool: "Bash", input: { command, description: "Does it" } }),
    ofGate: (tool) => `mcp__toolgate__${tool}`,
    hearsWhy: true,
  },
  ...acpAgents.map((one): AgentCase => {
    const { agent, ofGate } = one;
    return {
      name: `${agent.name} over ACP`,
      isHere: agent.find() !== undefined,
      variables: agent.variables,
      isAside: agent.isAside ?? (({ tools }) => tools.length === 0),
      async runner(bench, modelUrl) {
        await agent.configure(bench, { modelUrl, mcpServers: {} });
        const { titleIsCommand, judgeByKind, idNamesTool, ...options } = one.options(bench, modelUrl);
        const judging = { title_is_command: titleIsCommand, judge_by_kind: judgeByKind };
        return { type: "acp", ...options, ...judging, id_names_tool: idNamesTool };
      },
      shell: (command) => agent.calls.shell(command),
      ofGate,
      hearsWhy: false,
    };
  }),
];

/** Where docs/sessions.md tells people to install it. */
function installSdk(bench: Workbench): void {
  const link = bench.path(`.local/share/toolgate/node_modules/${agentSdk.package.name}`);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(dirname(agentSdk.find() ?? ""), link);
}

const commands = { first: "touch first.txt && expr 4240 + 3", second: "touch second.txt" };

function scriptOf({ isAside }: AgentCase, call: (command: string) => ScriptedCall) {
  return (request: ModelRequest): ScriptedReply => {
    if (isAside?.(request) === true) return "Aside.";
    const done = request.messages.flatMap(({ toolResults }) => toolResults).length;
    if (!JSON.stringify(request.messages).includes("Now the second."))
      return done === 0 ? { ...call(commands.first), id: "call_first" } : "The first is done.";
    return done === 1 ? { ...call(commands.second), id: "call_second" } : "The second is not.";
  };
}

for (const one of cases)
  for (const tools of ["agent", true] as const)
    describe.skipIf(!one.isHere)(
      `${one.name} with ${tools === true ? "the gate's tools" : "its own tools"}, run by toolgate serve`,
      { timeout: 180_000 },
      () => {
        it("waits for REST's yes and no while nobody is connected, and the record names agent and owner", async () => {
          const ofGate = (command: string) => ({ tool: one.ofGate("shell_exec"), input: { command } });
          const call = tools === true ? ofGate : one.shell;
          const { bench, model, ask, follow, question } = await serveAgent({
            ...one,
            script: scriptOf(one, call),
          });
          const started = await ask("starter", "/api/sessions", {
            prompt: "Do the first.",
            runner: "agent",
            tools,
          });
          expect(started, JSON.stringify(started)).toMatchObject({ status: 201, owner: "starter" });
          const { id } = started;
          // A client that looks in, and leaves: what it leaves goes on.
          await follow(id, ({ kind }) => kind === "session");

          const first = await question(id);
          expect(first).toMatchObject({ caller: `agent:${id}`, sessionId: id });
          expect(JSON.stringify(first.input)).toContain("first.txt");
          expect(bench.has("project/first.txt")).toBe(false);
          expect((await ask("starter", `/api/sessions/${id}`)).session.state).toBe("waiting");
          const answer = `/api/approvals/${first.id}/answer`;
          expect(await ask("starter", answer, { decision: "approve" })).toMatchObject({ status: 403 });
          expect(await ask("person", answer, { decision: "approve" })).toMatchObject({
            status: 200,
            by: "person",
          });
          const log = await follow(id, ({ kind, data }) => kind === "session" && data.state === "idle");
          const said = JSON.stringify(log.map(({ kind, data }) => [kind, data]));
          expect(said, said).toContain("The first is done.");
          expect(bench.has("project/first.txt")).toBe(true);
          expect(model.toolResults().at(-1)?.text, said).toContain("4243");
          expect(log.filter(({ kind }) => kind === "approval").map(({ data }) => data)).toMatchObject([
            { id: first.id, state: "asked" },
            { id: first.id, state: "approved", by: "person" },
          ]);

          await ask("starter", `/api/sessions/${id}/messages`, { text: "Now the second." });
          const second = await question(id);
          await ask("person", `/api/approvals/${second.id}/answer`, {
            decision: "deny",
            reason: "Not on a Sunday.",
          });
          const all = await follow(
            id,
            ({ kind, data }) => kind === "session" && data.state === "idle" && data.turn === 2,
          );
          expect(bench.has("project/second.txt")).toBe(false);
          const refused = all.filter(({ kind, data }) => kind === "tool_result" && data.turn === 2);
          expect(refused.map(({ data }) => data)).toMatchObject([{ ok: false, code: "approval_denied" }]);
          expect(JSON.stringify(refused)).toContain("Not on a Sunday.");
          if (one.hearsWhy || tools === true)
            expect(model.toolResults().at(-1)?.text).toContain("Not on a Sunday.");

          const { entries } = await ask("reader", `/api/ledger?session=${id}`);
          const records = entries.map(({ body }: { body: object }) => body);
          expect(records.length, JSON.stringify(entries)).toBeGreaterThanOrEqual(2);
          for (const body of records) expect(body).toMatchObject({ caller: `agent:${id}`, owner: "starter" });
          expect(JSON.stringify(records)).toContain('"by":"person"');
        });
      },
    );

/** Runs one session on a durable store, and kills itself at a named place. Started by `killed.slow.test.ts`. */
import { appendFileSync } from "node:fs";
import type { SessionStore } from "../../../src/core/ports/sessions.ts";
import { defineTool } from "../../../src/core/tool/tool.ts";
import { createGate } from "../../../src/gate/create-gate.ts";
import { openStore } from "../../../src/open/open-store.ts";
import { startPipeProcess } from "../../../src/safe/process/pipe-process.ts";
import { createSessions } from "../../../src/sessions/create-sessions.ts";
import type { Runner } from "../../../src/sessions/runner.ts";

const [, , stateFolder = "", folder = "", point = "", effects = ""] = process.argv;
const tell = (line: string) => appendFileSync(effects, `${line}\n`);

async function dieAt(place: string): Promise<void> {
  if (place !== point) return;
  process.kill(process.pid, "SIGKILL");
  await new Promise(() => {});
}

const store = await openStore({ stateFolder });
const sessions: SessionStore = {
  ...store.sessions,
  async create(...args) {
    await dieAt("before create");
    const made = await store.sessions.create(...args);
    if (made.ok) tell(`session ${made.session.id}`);
    await dieAt("after create");
    return made;
  },
  async takePrompt(...args) {
    await dieAt("before take");
    const taken = await store.sessions.takePrompt(...args);
    await dieAt("after take");
    return taken;
  },
  async change(id, change) {
    const kinds = (change.items ?? []).map(({ kind }) => kind);
    const places = kinds.length > 0 ? kinds : [change.facts?.state ?? "facts"];
    for (const what of places) await dieAt(`before ${what}`);
    const changed = await store.sessions.change(id, change);
    for (const what of places) await dieAt(`after ${what}`);
    return changed;
  },
};

const touch = defineTool({
  id: "x.touch",
  description: "Has an effect.",
  permission: "read",
  input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  run: async ({ name }) => {
    tell(`call ${name}`);
    await dieAt("in tool");
    return "done";
  },
});
const ask = defineTool({
  id: "x.ask",
  description: "Needs a person.",
  permission: "execute",
  input: { type: "object", properties: {} },
  run: () => "never",
});

const runner: Runner = {
  name: "real",
  title: "A process",
  offers: ["gate"],
  async open(session) {
    const agent = await startPipeProcess({
      command: "/bin/sh",
      args: ["-c", "sleep 600 & sleep 600"],
      cwd: folder,
      onStdout: () => {},
      onStderr: () => {},
    });
    if (!agent.started) throw new Error(agent.message);
    tell(`agent ${agent.pid}`);
    await dieAt("in open");
    await session.keep({ agentSessionId: "own-1" });
    return {
      async turn({ prompt, log, signal }) {
        tell(`prompt ${prompt}`);
        await log.message(log.newItem(), "I begin.");
        await session.calls.run({ tool: "x.touch", input: { name: "a" }, toolUseId: "t1", signal });
        if (point.includes("approval") || point.includes("cancelled"))
          await session.calls.run({ tool: "x.ask", input: {}, toolUseId: "t2", signal });
        await log.message(log.newItem(), "I am done.");
        return { stopReason: "end_turn" };
      },
      close: async () => void (await agent.kill()),
    };
  },
};

const gate = await createGate({ tools: [touch, ask], store, approver: "desk", roots: [folder] });
const open = await createSessions(gate, {
  runners: [runner],
  store: sessions,
  process: store.processes.id,
  roots: [folder],
});
const started = await open.start({ prompt: "only once", runner: "real" }, { id: "ann", capabilities: ["*"] });
if (!started.ok) throw new Error(started.message);
const reading = new AbortController();
for await (const { event, data } of open.events(started.session.id, { signal: reading.signal })) {
  if (event === "session" && data.state === "idle") reading.abort();
  if (event === "approval" && point.includes("cancelled")) await open.cancel(started.session.id, "ann");
}
// Whoever is still alive was not killed: the test fails.
process.exit(3);

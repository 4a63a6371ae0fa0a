/** How sessions of the real Claude Agent SDK end: cancelled at every place, killed, and gone on with. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../../src/open/open-store.ts";
import { agentSdk } from "../agent-sdk.ts";
import { client, createWorkbench } from "../workbench.ts";
import { ann, claudeWorld, commandsOf, hasSdk, processesOf } from "./claude-session.ts";
import { createEndlessModel } from "./endless-model.ts";

const describeSdk = describe.skipIf(!hasSdk);
const ours = (name: string) => `mcp__toolgate__${name}`;
const runsShells = "policies:\n  shells: { tools: shell.exec, action: approve }\n";

describeSdk("a turn of the Claude Agent SDK that is cancelled", () => {
  it("ends while the model writes, and the same process takes the next prompt", async () => {
    await using endless = await createEndlessModel();
    const world = await claudeWorld({ script: [], env: { ANTHROPIC_BASE_URL: endless.url } });
    const id = await world.start();
    await world.read(id, ({ event }) => event === "message-delta");
    expect(endless.open).toBe(1);
    // The model would go on for ever: only the cancelling can have ended the turn.
    await world.sessions.cancel(id, "ann", { turn: 1 });
    await expect.poll(() => endless.open).toBe(0);
    const process = (await world.sessions.get(id))?.agentProcess;
    await world.sessions.send(id, { text: "More." }, ann);
    await world.read(id, ({ event, data }) => event === "message-delta" && data.turn === 2);
    expect((await world.sessions.get(id))?.agentProcess).toEqual(process);
    await world.sessions.cancel(id, "ann");
    expect((await world.log(id)).slice(-1)).toEqual(["cancelled: session"]);
    expect(processesOf(world.bench)).toEqual([]);
  });

  it("ends a tool with the whole tree of its processes", async () => {
    const [long, longer] = [100_000 + process.pid, 10_000_000 + process.pid];
    const command = `sleep ${long} & (sleep ${longer} & wait) & wait`;
    const world = await claudeWorld({
      categories: ["filesystem", "shell"],
      rules: runsShells,
      script: [{ tool: ours("shell_exec"), input: { command } }, "Never said.", "Back."],
    });
    const id = await world.start();
    const sleeping = () =>
      commandsOf().filter((line) => line === `sleep ${long}` || line === `sleep ${longer}`);
    await expect.poll(() => sleeping().length, { timeout: 30_000 }).toBe(2);
    await world.sessions.cancel(id, "ann", { turn: 1 });
    await expect.poll(sleeping).toEqual([]);
    await world.sessions.send(id, { text: "Still there?" }, ann);
    await world.turnOver(id, 2);
    expect((await world.log(id)).at(-1)).toBe("completed: end_turn");
  });

  it("withdraws what waits for a person", async () => {
    const world = await claudeWorld({
      categories: ["filesystem", "shell"],
      script: [{ tool: ours("shell_exec"), input: { command: "touch here" } }, "Never said."],
    });
    const id = await world.start();
    const pending = async () => (await world.gate.approvals.pending()).length;
    await expect.poll(pending, { timeout: 30_000 }).toBe(1);
    await world.sessions.cancel(id, "ann");
    await expect.poll(pending).toBe(0);
    expect(world.bench.has("project/here")).toBe(false);
    expect(processesOf(world.bench)).toEqual([]);
    expect((await world.sessions.get(id))?.end).toBe("cancelled");
  });

  it("leaves nothing behind, twenty times at any moment", async () => {
    await using endless = await createEndlessModel();
    const world = await claudeWorld({
      script: [],
      env: { ANTHROPIC_BASE_URL: endless.url },
      sessions: { maxRunning: 4 },
    });
    let left = 20;
    const lane = async () => {
      while (left-- > 0) {
        const id = await world.start({ mode: "plan" });
        await sleep(Math.random() * 3_000);
        await world.sessions.cancel(id, "ann");
      }
    };
    await Promise.all(Array.from({ length: 4 }, lane));
    expect(processesOf(world.bench)).toEqual([]);
    // The model hears a moment later that the processes are gone.
    await expect.poll(() => endless.open).toBe(0);
  });

  it("ends an agent that ignores SIGTERM within ten seconds", async () => {
    await using endless = await createEndlessModel();
    const bench = createWorkbench();
    const executable = bench.write("deaf", `#!/bin/sh\ntrap '' INT TERM HUP\n"${client}" "$@"\nsleep 600\n`);
    chmodSync(executable, 0o755);
    const world = await claudeWorld({
      bench,
      executable,
      script: [],
      env: { ANTHROPIC_BASE_URL: endless.url },
    });
    const id = await world.start();
    await world.read(id, ({ event }) => event === "message-delta");
    const before = performance.now();
    await world.sessions.cancel(id, "ann");
    expect(performance.now() - before).toBeLessThan(10_000);
    expect(processesOf(bench)).toEqual([]);
  });
});

describeSdk("a session of the Claude Agent SDK", () => {
  async function worldWithStore(
    script: Parameters<typeof claudeWorld>[0]["script"],
    bench = createWorkbench(),
  ) {
    const store = await openStore({ stateFolder: bench.path("store") });
    onTestFinished(() => store.close());
    return { bench, store, world: await claudeWorld({ script, bench, sessions: { store: store.sessions } }) };
  }

  it("is gone on with by another process of ours, which knows what was said", async () => {
    const one = await worldWithStore(["The word is plum."]);
    const id = await one.world.start();
    await one.world.turnOver(id);
    await one.world.close();
    await one.store.close();
    expect(processesOf(one.bench)).toEqual([]);

    const two = await worldWithStore(["I said plum."], one.bench);
    await two.world.sessions.send(id, { text: "Which word?" }, ann);
    await two.world.turnOver(id, 2);
    expect((await two.world.log(id)).slice(-2)).toEqual(["message: I said plum.", "completed: end_turn"]);
    const texts = two.world.model.requests[0]?.messages.map(({ text }) => text);
    expect(texts).toContain("The word is plum.");
  });

  it("starts afresh with our transcript where the agent has forgotten it, and says so", async () => {
    const one = await worldWithStore(["The word is plum."]);
    const id = await one.world.start();
    await one.world.turnOver(id);
    await one.world.close();
    await one.store.close();
    one.bench.remove(".claude/projects");

    const two = await worldWithStore(["I said plum."], one.bench);
    await two.world.sessions.send(id, { text: "Which word?" }, ann);
    await two.world.turnOver(id, 2);
    const log = await two.world.log(id);
    expect(log.slice(-2)).toEqual(["message: I said plum.", "completed: end_turn"]);
    expect(log.at(-3)).toContain("agent_session_gone");
    const [request] = two.world.model.requests;
    expect(request?.messages[0]?.text).toContain("Assistant: The word is plum.");
    expect(request?.messages[0]?.text).toContain("Which word?");
  });

  it("loses its agent with the process of ours that is killed, and is gone on with when a person says so", async () => {
    await using endless = await createEndlessModel();
    const bench = createWorkbench();
    const variables = { ...bench.env, ANTHROPIC_BASE_URL: endless.url };
    const child = spawn(process.execPath, [join(import.meta.dirname, "claude-killed-child.ts")], {
      env: {
        PATH: bench.env.PATH,
        SDK: agentSdk.find(),
        CLIENT: client,
        STATE: bench.path("store"),
        PROJECT: bench.project,
        VARIABLES: JSON.stringify(variables),
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const id = String(line).split("\n")[0] ?? "";
    expect(processesOf(bench).length).toBeGreaterThan(0);
    child.kill("SIGKILL");
    await expect.poll(() => processesOf(bench), { timeout: 10_000 }).toEqual([]);

    const two = await worldWithStore(["Here I am."], bench);
    expect(await two.world.sessions.get(id)).toMatchObject({ state: "ended", end: "lost", turn: 1 });
    await two.world.sessions.send(id, { text: "Still there?", resume: true }, ann);
    await two.world.turnOver(id, 2);
    expect((await two.world.log(id)).slice(-2)).toEqual(["message: Here I am.", "completed: end_turn"]);
    expect(two.world.model.requests).toHaveLength(1);
    expect(JSON.stringify(two.world.model.requests[0]?.body)).toContain("Go.");
  });
});

/** Who is asked while `toolgate serve` runs: the agent's own person, until somebody watches the queue. All of it as real processes. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/open/open-store.ts";
import { type CliWorld, createCliWorld, type Ended, ended, type Serving } from "./cli-process.ts";

const rules = `policies:
  ask-first:
    tools: Bash
    action: ask
    reason: Ann decides.
    conditions: [{ type: command, operator: startsWith, value: deploy }]
`;

async function startServer(): Promise<Serving & { readonly world: CliWorld }> {
  const world = createCliWorld();
  world.configure(rules);
  const serving = await world.serve();
  onTestFinished(async () => {
    await serving.kill();
    world.close();
  });
  return { ...serving, world };
}

const script = fileURLToPath(new URL("../../dist/hook/hook.sh", import.meta.url));
const session = "00000000-0000-4000-8000-000000000001";

/** The hook's script, asked as Claude Code asks it; no process can answer instead of the server. */
function deploy({ folder, home, project }: CliWorld): Promise<Ended> {
  const child = spawn(script, ["claude-code", join(folder, "no-node"), "300", "word"], {
    cwd: project,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      CLAUDE_PROJECT_DIR: project,
      CLAUDE_CODE_SESSION_ID: session,
      CLAUDE_CODE_SESSION_ATTENDED: "1",
    },
    stdio: "pipe",
  });
  const call = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_use_id: "toolu_1" };
  const sent = { ...call, tool_input: { command: "deploy prod", description: "x" }, cwd: project };
  const about = { session_id: session, transcript_path: join(home, "x.jsonl"), permission_mode: "default" };
  child.stdin.end(JSON.stringify({ ...sent, ...about }));
  return ended(child);
}

async function approveNext(stateFolder: string): Promise<void> {
  await using store = await openStore({ stateFolder });
  await expect.poll(async () => (await store.approvals.waiting()).length, { timeout: 120_000 }).toBe(1);
  const [question] = await store.approvals.waiting();
  await store.approvals.answer(question?.request.id ?? "", { decision: "approve", by: "ann" });
}

const asks = { code: 0, err: "", out: expect.stringContaining('"permissionDecision":"ask"') };
const allows = { code: 0, err: "", out: expect.stringContaining('"permissionDecision":"allow"') };

it("asks the agent's own person, and waits for another while `toolgate approvals watch` runs", async () => {
  const { world } = await startServer();
  expect(await deploy(world)).toEqual(asks);
  const watch = world.start(["approvals", "watch"]);
  onTestFinished(() => void watch.kill("SIGKILL"));
  const over = ended(watch);
  await new Promise((resolve) => watch.stderr?.once("data", resolve));
  const [answer] = await Promise.all([deploy(world), approveNext(world.state)]);
  expect(answer).toEqual(allows);
  watch.kill("SIGINT");
  await over;
  expect(await deploy(world)).toEqual(asks);
});

it("waits while a client that may answer reads the server's events", async () => {
  const { world, url, token } = await startServer();
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/api/events`, { headers, signal: leaving.signal });
  expect(response.status).toBe(200);
  const [answer] = await Promise.all([deploy(world), approveNext(world.state)]);
  expect(answer).toEqual(allows);
  leaving.abort();
  // The server sees a moment later that the client is gone.
  const status = async () => (await fetch(`${url}/api/status`, { headers })).json();
  await expect
    .poll(async () => JSON.stringify(await status()), { timeout: 120_000 })
    .toContain('"eventClients":0');
  expect(await deploy(world)).toEqual(asks);
});

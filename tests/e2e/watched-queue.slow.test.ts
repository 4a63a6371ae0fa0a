/** Who is asked while `toolgate serve` runs: the agent's own person, until somebody watches the queue. All of it as real processes. */
import type { ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/open/open-store.ts";
import { askScript } from "./ask-script.ts";
import { type CliWorld, createCliWorld, type Ended, ended } from "./cli-process.ts";

const rules = `policies:
  ask-first:
    tools: Bash
    action: ask
    reason: Ann decides.
    conditions: [{ type: command, operator: startsWith, value: deploy }]
`;

/** Ended when the test ends. */
function keep(child: ChildProcess): ChildProcess {
  const over = ended(child);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await over;
  });
  return child;
}

const first = (stream: ChildProcess["stdout"]) =>
  new Promise<string>((resolve) => stream?.once("data", (text) => resolve(String(text))));

async function startServer(): Promise<{ world: CliWorld; url: string; token: string; state: string }> {
  const world = createCliWorld();
  onTestFinished(() => world.close());
  const home = join(world.folder, "home");
  const config = join(home, ".config/toolgate/config.yaml");
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(config, rules);
  const { url } = JSON.parse(await first(keep(world.start(["serve", "--port", "0", "--json"])).stdout)) as {
    readonly url: string;
  };
  const state = join(home, ".local/state/toolgate");
  return { world, url, state, token: readFileSync(join(state, "token"), "utf8").trim() };
}

/** No process can answer instead of the server. */
function deploy(world: CliWorld): Promise<Ended> {
  return askScript(world, "deploy prod", join(world.folder, "no-node"));
}

async function approveNext(stateFolder: string): Promise<void> {
  await using store = await openStore({ stateFolder });
  await expect.poll(async () => (await store.approvals.waiting()).length, { timeout: 60_000 }).toBe(1);
  const [question] = await store.approvals.waiting();
  await store.approvals.answer(question?.request.id ?? "", { decision: "approve", by: "ann" });
}

const asks = { code: 0, err: "", out: expect.stringContaining('"permissionDecision":"ask"') };
const allows = { code: 0, err: "", out: expect.stringContaining('"permissionDecision":"allow"') };

it("asks the agent's own person, and waits for another while `toolgate approvals watch` runs", async () => {
  const { world, state } = await startServer();
  expect(await deploy(world)).toEqual(asks);
  const watch = keep(world.start(["approvals", "watch"]));
  await first(watch.stderr);
  const [answer] = await Promise.all([deploy(world), approveNext(state)]);
  expect(answer).toEqual(allows);
  const over = ended(watch);
  watch.kill("SIGINT");
  await over;
  expect(await deploy(world)).toEqual(asks);
});

it("waits while a client that may answer reads the server's events", async () => {
  const { world, url, token, state } = await startServer();
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/api/events`, { headers, signal: leaving.signal });
  expect(response.status).toBe(200);
  const [answer] = await Promise.all([deploy(world), approveNext(state)]);
  expect(answer).toEqual(allows);
  leaving.abort();
  // The server sees a moment later that the client is gone.
  const status = async () => (await fetch(`${url}/api/status`, { headers })).json();
  await expect
    .poll(async () => JSON.stringify(await status()), { timeout: 60_000 })
    .toContain('"eventClients":0');
  expect(await deploy(world)).toEqual(asks);
});

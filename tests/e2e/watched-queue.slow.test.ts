/** Who is asked while `toolgate serve` runs: the agent's own person, until somebody watches the queue. All of it as real processes. */
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/open/open-store.ts";
import { askScript } from "./ask-script.ts";
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

/** No process can answer instead of the server. */
function deploy(world: CliWorld): Promise<Ended> {
  return askScript(world, "deploy prod", join(world.folder, "no-node"));
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

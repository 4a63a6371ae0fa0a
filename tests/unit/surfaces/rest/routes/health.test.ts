import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { defineTool } from "../../../../../src/index.ts";
import { allRoutes } from "../../../../../src/surfaces/serve/all-routes.ts";
import { startTestServer, type TestServer } from "../../../../http-server.ts";

async function start(): Promise<TestServer> {
  const run = () => "done";
  const input = { type: "object" } as const;
  const server = await startTestServer({
    routes: allRoutes,
    gate: {
      tools: [defineTool({ id: "x.write", description: "Writes.", permission: "write", input, run })],
      policies: [{ name: "yes", tools: "*", action: "approve" }],
      enable: { enableAll: true },
    },
  });
  onTestFinished(() =>
    server.close().then(
      () => {},
      () => {},
    ),
  );
  return server;
}

async function call(server: TestServer, text = ""): Promise<{ readonly ok: boolean; readonly text: string }> {
  const response = await server.ask("/api/tools/x.write/call", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ input: { text } }),
  });
  const answer = await response.text();
  return { ok: response.ok && !answer.includes("ledger_failed"), text: answer };
}

/** What is asked is answered anew once a second at most. */
const readiness = (server: TestServer) => async () => (await server.ask("/api/health/ready")).status;
const soon = { interval: 250 };

describe("readiness", () => {
  it("is 503 while the state folder is gone, and calls are refused with what to do", async () => {
    const server = await start();
    expect((await call(server)).ok).toBe(true);
    expect(await readiness(server)()).toBe(200);
    renameSync(server.stateFolder, `${server.stateFolder}-away`);
    const refused = await call(server);
    expect(refused.ok).toBe(false);
    expect(refused.text).toContain("was deleted or replaced while toolgate uses it");
    await expect.poll(readiness(server), soon).toBe(503);
    renameSync(`${server.stateFolder}-away`, server.stateFolder);
    await expect.poll(readiness(server), soon).toBe(200);
    expect((await call(server)).ok).toBe(true);
  });

  it("is 503 while the disk is full, says so, and 200 when there is room again", async ({ skip }) => {
    const server = await start();
    const disk = `${server.folder}/disk`;
    mkdirSync(disk);
    if (
      process.getuid?.() !== 0 ||
      spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", disk]).status !== 0
    )
      return skip("no disk can be mounted here");
    onTestFinished(() => {
      spawnSync("umount", ["-l", disk]);
    });
    const { openStore } = await import("../../../../../src/open/open-store.ts");
    const store = await openStore({ stateFolder: `${disk}/state` });
    onTestFinished(() => store.close().catch(() => {}));
    const full = { ...server, parts: server.parts };
    // The routes look at whatever store the server has.
    Object.assign(full.parts, { store });
    const ready = readiness(server);
    await expect.poll(ready, soon).toBe(200);
    // Everything that is left of the disk.
    const filler = Buffer.alloc(64 * 1024);
    try {
      for (let index = 0; index < 64; index++) writeFileSync(`${disk}/filler-${index}`, filler);
    } catch {
      // It is full now.
    }
    await expect.poll(ready, soon).toBe(503);
    for (let index = 0; index < 64; index++) rmSync(`${disk}/filler-${index}`, { force: true });
    await expect.poll(ready, soon).toBe(200);
  });
});

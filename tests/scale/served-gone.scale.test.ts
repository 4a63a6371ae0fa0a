import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeOwnPostgres } from "./describe-postgres.ts";
import {
  askMachine,
  closeMachines,
  type Machine,
  makeToken,
  sharedRulesFile,
  startMachine,
} from "./machine.ts";
import { startPostgres, type TestPostgres } from "./start-postgres.ts";

const rules = `
tools: { enabled_categories: [editing, shell] }
policies:
  ask: { tools: [fs.write, Write], action: ask, priority: 1, conditions: [{ type: path, operator: contains, value: asked }] }
  yes: { tools: '*', action: approve }
limits:
  counted: { tools: [fs.list, Bash], max: 1000, windowMs: 10m }
`;

describeOwnPostgres("a server whose database is away", () => {
  let postgres: TestPostgres;
  let one: Machine;
  let token: string;
  beforeAll(async () => {
    postgres = await startPostgres();
    one = await startMachine(await postgres.createDatabase(), sharedRulesFile(), rules);
    token = await makeToken(one, "agent", "call,read");
  }, 120_000);
  afterAll(async () => {
    closeMachines([one]);
    await postgres.close();
  });
  const ask = (path: string, body?: object, headers = {}) =>
    askMachine(one, token, path, { ...(body !== undefined && { body }), headers });
  const write = (path: string) => ask("/api/tools/fs.write/call", { input: { path, content: "x" } });
  const mcp = (name: string, input: object) =>
    ask(
      "/mcp",
      {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          name,
          arguments: input,
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
          },
        },
      },
      {
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": name,
      },
    );

  it("refuses what writes, on every way in, reads on, says so, and goes on by itself", {
    timeout: 120_000,
  }, async () => {
    expect((await write("a.txt")).json).toMatchObject({ ok: true });
    expect((await ask("/api/health/ready")).status).toBe(200);
    const { control } = postgres;
    await control.stop();

    const asked = performance.now();
    const { status, headers, json } = await write("b.txt");
    const waited = performance.now() - asked;
    expect([status, headers["retry-after"]]).toEqual([503, "2"]);
    expect(json).toMatchObject({ code: "store_unavailable", stage: "ledger" });
    // The first one waited for a restart; those that follow know.
    const before = performance.now();
    expect((await write("c.txt")).json).toMatchObject({ code: "store_unavailable" });
    expect(performance.now() - before).toBeLessThan(waited / 2);
    expect((await write("asked.txt")).json).toMatchObject({ code: "store_unavailable" });
    expect((await mcp("fs_write", { path: "d.txt", content: "x" })).json).toMatchObject({
      error: { code: -32_603, data: { code: "store_unavailable", retryAfterMs: 2_000 } },
    });
    const hook = {
      tool_name: "Bash",
      tool_input: { command: "ls" },
      session_id: "h",
      hook_event_name: "PreToolUse",
    };
    const checked = await ask("/api/hook/claude-code", { ...hook, cwd: one.world.project });
    expect(JSON.stringify(checked.json)).toMatch(/"permissionDecision":"deny".*cannot be reached/);

    const read = await ask("/api/tools/fs.read/call", { input: { path: "a.txt" } });
    expect(read.json).toMatchObject({ ok: true });
    const ready = await ask("/api/health/ready");
    expect([ready.status, ready.json]).toEqual([503, { status: "not_ready", store: "failing" }]);
    const listed = await ask("/api/approvals");
    expect([listed.status, listed.headers["retry-after"], listed.json.code]).toEqual([
      503,
      "2",
      "store_unavailable",
    ]);
    for (const name of ["b.txt", "c.txt", "d.txt", "asked.txt"])
      expect(existsSync(join(one.world.project, name))).toBe(false);

    await control.start();
    await expect
      .poll(async () => (await ask("/api/health/ready")).status, { timeout: 20_000, interval: 500 })
      .toBe(200);
    expect((await write("e.txt")).json).toMatchObject({ ok: true });
    // Refusals and reads are in the ledger, too.
    const records = async () => (await one.world.run(["audit", "query", "--json", "--limit", "50"])).out;
    await expect.poll(records, { timeout: 20_000, interval: 1_000 }).toMatch(/fs\.read/);
    expect(await records()).toContain("store_unavailable");
    expect((await one.world.run(["audit", "verify"])).code).toBe(0);
  });
});

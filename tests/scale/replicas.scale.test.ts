import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describePostgres } from "./describe-postgres.ts";
import {
  askMachine,
  closeMachines,
  type Machine,
  makeToken,
  sharedRulesFile,
  startMachine,
} from "./machine.ts";
import { ask, createDatabase } from "./start-postgres.ts";

const rules = `
tools: { enabled_categories: [editing, shell] }
policies:
  ask: { tools: fs.write, action: ask, priority: 1 }
  yes: { tools: '*', action: approve }
limits:
  few: { tools: fs.list, max: 5, windowMs: 10m }
`;

describePostgres("two machines with one database", () => {
  let database: string;
  let one: Machine;
  let two: Machine;
  let token: string;
  beforeAll(async () => {
    database = await createDatabase();
    const shared = sharedRulesFile();
    [one, two] = [await startMachine(database, shared, rules), await startMachine(database, shared, rules)];
    token = await makeToken(two, "agent", "call,read");
  }, 120_000);
  afterAll(async () => {
    closeMachines([one, two]);
  });
  const call = async (machine: Machine, tool: string, input: object, sessionId = "s") => {
    const { status, json } = await askMachine(machine, token, `/api/tools/${tool}/call`, {
      body: { input, sessionId },
    });
    return { status, ...(json as { ok?: boolean; error?: { code: string; message: string } }) };
  };
  const toolgate = ({ world }: Machine, ...argv: readonly string[]) => world.run(argv);

  it("take the token that was made on one of them, until it is revoked on the other", async () => {
    expect(await call(one, "fs.list", { path: "." })).toMatchObject({ status: 200, ok: true });
    expect(await call(two, "fs.list", { path: "." })).toMatchObject({ status: 200, ok: true });
    await toolgate(two, "tokens", "create", "short", "--rights", "call");
    expect((await toolgate(one, "tokens", "revoke", "short")).code).toBe(0);
    expect((await toolgate(two, "tokens", "list")).out).not.toContain("short");
  });

  it("count limits together", async () => {
    const calls = await Promise.all(
      Array.from({ length: 12 }, (_, index) => call(index % 2 ? one : two, "fs.list", { path: "." })),
    );
    // Two were made above.
    expect(calls.filter(({ ok }) => ok)).toHaveLength(3);
    expect(calls.find(({ ok }) => ok === false)?.error?.code).toBe("rate_limited");
  });

  it("answer each other's questions, and the call runs where it waits", async () => {
    const path = join(one.world.project, "b.txt");
    const waiting = call(one, "fs.write", { path: "b.txt", content: "x" });
    const list = async () => JSON.parse((await toolgate(two, "approvals", "list", "--json")).out);
    await expect
      .poll(async () => (await list()).length ?? (await list()).approvals?.length, { timeout: 30_000 })
      .toBe(1);
    const found = await list();
    const { id } = (found.approvals ?? found)[0].request ?? (found.approvals ?? found)[0];
    expect((await toolgate(two, "approvals", "approve", id)).code).toBe(0);
    expect(await waiting).toMatchObject({ ok: true });
    expect(readFileSync(path, "utf8")).toBe("x");
    expect(existsSync(join(two.world.project, "b.txt"))).toBe(false);
  });

  it("show each other's records, and take in what a hook wrote without a server", async () => {
    const hook = { tool_name: "Bash", tool_input: { command: "git push --force" }, session_id: "hooked" };
    await two.world.run(
      ["check", "--agent", "claude-code"],
      JSON.stringify({ hook_event_name: "PreToolUse", cwd: two.world.project, ...hook }),
    );
    const { out } = await toolgate(two, "audit", "query", "--json");
    expect(out).toContain("b.txt");
    expect((await toolgate(two, "audit", "query", "--session", "hooked", "--json")).out).toContain(
      "git push",
    );
    const verified = await Promise.all([toolgate(one, "audit", "verify"), toolgate(two, "audit", "verify")]);
    expect(verified.map(({ code, err, out: said }) => [code, code === 0 ? "" : err + said])).toEqual([
      [0, ""],
      [0, ""],
    ]);
  });

  it("say what the other had begun when it was killed", { timeout: 120_000 }, async () => {
    const waiting = call(one, "shell.exec", { command: "sleep 60" }).catch(() => undefined);
    const asked = call(one, "fs.write", { path: "c.txt", content: "x" }).catch(() => undefined);
    const begun = async () =>
      (
        await ask(
          database,
          "SELECT count(*)::int AS n FROM toolgate.ledger WHERE kind = 'intent' AND tool = 'shell.exec'",
        )
      )[0]?.n;
    await expect.poll(begun, { timeout: 30_000 }).toBe(1);
    one.server.kill("SIGKILL");
    await Promise.all([waiting, asked]);
    const unknown = async () => (await toolgate(two, "audit", "query", "--kinds", "unknown", "--json")).out;
    await expect.poll(unknown, { timeout: 60_000, interval: 1_000 }).toContain("shell.exec");
    expect((await toolgate(two, "approvals", "list", "--json")).out).not.toContain("c.txt");
    expect((await toolgate(two, "audit", "verify")).code).toBe(0);
  });
});

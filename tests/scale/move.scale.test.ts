import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openStore, verifyExport } from "../../src/open/open-store.ts";
import { intent, record } from "../contract/samples.ts";
import { type CliWorld, createCliWorld } from "../e2e/cli-process.ts";
import { approvalRequest } from "../unit/stores/sqlite/approval-request.ts";
import { describePostgres } from "./describe-postgres.ts";
import { linesOf } from "./lines-of.ts";
import { ask, createDatabase } from "./start-postgres.ts";

const calls = 2_600;

describePostgres("toolgate store migrate", () => {
  let world: CliWorld;
  let url: string;
  const state = () => join(world.folder, "home", ".local", "state", "toolgate");
  beforeAll(async () => {
    url = await createDatabase();
    world = createCliWorld();
    await using store = await openStore({ stateFolder: state() });
    await Promise.all(Array.from({ length: calls }, (_, n) => store.ledger.close(record(`old-${n}`))));
    await store.ledger.open(intent("open"));
    await store.approvals.open(approvalRequest("asked"));
    await store.approvals.answer("asked", { decision: "deny", by: "ann", reason: "no" });
    await world.run(["tokens", "create", "ci", "--rights", "call"]);
  }, 120_000);
  afterAll(async () => {
    world.close();
  });
  const migrate = (...argv: readonly string[]) => world.run(["store", "migrate", "--to", url, ...argv]);

  it("does nothing while another toolgate uses the records, and says so", async () => {
    await using _other = await openStore({ stateFolder: state() });
    const { code, err } = await migrate();
    expect(code).not.toBe(0);
    expect(err).toContain("Another toolgate uses");
  });

  it("moves everything, with its numbers and hashes, and goes on after it was interrupted", async () => {
    const child = world.start(["store", "migrate", "--to", url]);
    const over = new Promise((resolve) => child.once("exit", resolve));
    const there = async () =>
      Number((await ask(url, "SELECT count(*) AS n FROM toolgate.ledger").catch(() => [{ n: 0 }]))[0]?.n);
    await expect.poll(there, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0);
    child.kill("SIGKILL");
    await over;
    const { code, out, err } = await migrate("--json");
    expect(err).toBe("");
    expect(code).toBe(0);
    const moved = JSON.parse(out);
    expect(moved).toMatchObject({ verification: { ok: true }, parts: { tokens: 1 } });
    const old = new DatabaseSync(join(state(), "toolgate.sqlite"), { readOnly: true });
    const head = old.prepare("SELECT seq, hash FROM ledger_head").get();
    old.close();
    expect(moved).toMatchObject({ rows: head?.seq, hash: head?.hash });
    expect(await there()).toBeGreaterThan(Number(head?.seq));
  });

  it("can be done again, which adds nothing", async () => {
    const before = await ask(url, "SELECT seq FROM toolgate.ledger_head");
    const { code, out } = await migrate("--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ before: JSON.parse(out).rows, parts: { tokens: 0 } });
    expect(await ask(url, "SELECT seq FROM toolgate.ledger_head")).toEqual(before);
  });

  it("leaves a store that toolgate goes on with", async () => {
    const config = join(world.folder, "home", ".config", "toolgate", "config.yaml");
    mkdirSync(dirname(config), { recursive: true });
    writeFileSync(config, `store: ${url}\n`);
    const status = await world.run(["store", "status"]);
    expect(status.out).toContain("PostgreSQL");
    expect(status.out).toMatch(/ledger .* records in \d+ blocks/);
    expect((await world.run(["tokens", "list"])).out).toContain("ci");
    expect((await world.run(["audit", "show", "old-17", "--json"])).out).toContain("old-17");
    expect((await world.run(["audit", "verify"])).code).toBe(0);
    await using store = await openStore({ stateFolder: state(), postgres: { url } });
    await store.ledger.close(record("new"));
    expect(await store.approvals.find("asked")).toMatchObject([{ state: "denied" }]);
    const lines = await linesOf(store.ledger.export());
    expect(await verifyExport(lines)).toMatchObject({ ok: true });
  });

  it("refuses a database that has records of its own", async () => {
    const other = await createDatabase();
    const folder = join(world.folder, "other-state");
    await using store = await openStore({ stateFolder: folder, postgres: { url: other } });
    await store.ledger.close(record("own"));
    const { code, err } = await world.run(["store", "migrate", "--to", other]);
    expect([code, err]).toEqual([1, expect.stringContaining("has a ledger of")]);
  });
});

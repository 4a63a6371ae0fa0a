import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../src/core/input/json.ts";
import { openStore } from "../../src/open/open-store.ts";
import { createRowMaker } from "../../src/stores/ledger/row.ts";
import { spoolRow } from "../../src/stores/ledger/spool/write-spool.ts";
import { appendBlock } from "../../src/stores/postgres/ledger/append-block.ts";
import { readHead } from "../../src/stores/postgres/ledger/head.ts";
import { closeContext, openContext } from "../../src/stores/postgres/open-context.ts";
import { acceptedPin, intent, record, tokenRecord } from "../contract/samples.ts";
import { type CliWorld, createCliWorld } from "../e2e/cli-process.ts";
import { approvalRequest } from "../unit/stores/sqlite/approval-request.ts";
import { describePostgres } from "./describe-postgres.ts";
import { ask, createDatabase } from "./start-postgres.ts";

const calls = 2_600;

describePostgres("toolgate store migrate --from postgres --to sqlite", () => {
  let world: CliWorld;
  let url: string;
  const state = () => join(world.folder, "home", ".local", "state", "toolgate");
  const elsewhere = () => join(world.folder, "elsewhere");
  beforeAll(async () => {
    url = await createDatabase();
    world = createCliWorld();
    await using store = await openStore({ stateFolder: elsewhere(), postgres: { url } });
    await Promise.all(Array.from({ length: calls }, (_, n) => store.ledger.close(record(`old-${n}`))));
    await store.ledger.open(intent("open"));
    await store.approvals.open(approvalRequest("asked"));
    await store.approvals.answer("asked", { decision: "deny", by: "ann", reason: "no" });
    await store.tokens.change(() => ({ tokens: [tokenRecord("ci")], result: undefined }));
    await store.pins.acceptFirst("files", { tools: [acceptedPin("read")] });
  }, 120_000);
  afterAll(async () => {
    world.close();
  });
  const back = (...argv: readonly string[]) =>
    world.run(["store", "migrate", "--from", url, "--to", "sqlite", ...argv]);
  const local = (sql: string) => {
    const database = new DatabaseSync(join(state(), "toolgate.sqlite"), { readOnly: true });
    try {
      return database.prepare(sql).get() as Record<string, unknown>;
    } finally {
      database.close();
    }
  };
  const there = async () => (await ask(url, "SELECT seq::int, hash FROM toolgate.ledger_head"))[0];

  it("wants one of both to be the state folder, and says so", async () => {
    const { code, err } = await world.run(["store", "migrate", "--from", url, "--to", url]);
    expect([code, err]).toEqual([1, expect.stringContaining("one of --from and --to has to be sqlite")]);
  });

  it("does nothing while another toolgate uses the database, and says so", async () => {
    await using _other = await openStore({ stateFolder: elsewhere(), postgres: { url } });
    const { code, err } = await back();
    expect([code, err]).toEqual([1, expect.stringContaining("Another toolgate uses")]);
  });

  it("moves everything, with its numbers and its text, and goes on after it was interrupted", async () => {
    const child = world.start(["store", "migrate", "--from", url, "--to", "sqlite"]);
    const over = new Promise((resolve) => child.once("exit", resolve));
    const arrived = () => {
      try {
        return Number(local("SELECT seq FROM ledger_head").seq);
      } catch {
        return 0;
      }
    };
    await expect.poll(arrived, { timeout: 60_000, interval: 2 }).toBeGreaterThan(0);
    child.kill("SIGKILL");
    await over;
    const { code, out, err } = await back("--json");
    expect([code, err]).toEqual([0, ""]);
    const moved = JSON.parse(out);
    const head = await there();
    expect(moved).toMatchObject({
      rows: head?.seq,
      verification: { ok: true },
      parts: { tokens: 1, pins: 1 },
    });
    // One more: the note that says where they come from.
    expect(local("SELECT seq FROM ledger_head").seq).toBe(Number(head?.seq) + 1);
    const [row] = await ask(url, "SELECT body FROM toolgate.ledger WHERE seq = 1000");
    expect(local("SELECT body FROM ledger WHERE seq = 1000").body).toBe(row?.body);
    expect(JSON.parse(String(local("SELECT body FROM ledger ORDER BY seq DESC LIMIT 1").body))).toMatchObject(
      {
        code: "ledger_moved",
        about: { seq: Number(head?.seq), hash: head?.hash },
      },
    );
  });

  it("can be done again, which adds nothing", async () => {
    const before = local("SELECT seq, hash FROM ledger_head");
    const { code, out } = await back("--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ before: JSON.parse(out).rows });
    expect(local("SELECT seq, hash FROM ledger_head")).toEqual(before);
  });

  it("leaves a store that toolgate goes on with", async () => {
    expect((await world.run(["audit", "verify"])).code).toBe(0);
    expect((await world.run(["audit", "show", "old-17", "--json"])).out).toContain("old-17");
    expect((await world.run(["tokens", "list"])).out).toContain("ci");
    await using store = await openStore({ stateFolder: state() });
    expect(await store.approvals.find("asked")).toMatchObject([{ state: "denied" }]);
    expect(await store.pins.accepted("files")).toMatchObject({ tools: [{ name: "read" }] });
    await store.ledger.close(record("new"));
    expect(await store.ledger.verify()).toMatchObject({ ok: true, problems: [] });
  });

  it("refuses a state folder that has records of its own since", async () => {
    const { code, err } = await back();
    expect([code, err]).toEqual([1, expect.stringContaining("which are not those of the database")]);
  });

  it("moves there and back while hooks write on, and takes each of their lines in once", async () => {
    const other = await createDatabase();
    const home = createCliWorld();
    onTestFinished(() => home.close());
    const stateFolder = join(home.folder, "home", ".local", "state", "toolgate");
    const spool = (id: string) => {
      const row = createRowMaker().completion(record(id) as unknown as JsonObject, Date.now());
      spoolRow(stateFolder, row, Date.now());
    };
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
    spool("before");
    {
      await using store = await openStore({ stateFolder });
      await store.ledger.takeSpool();
    }
    spool("meanwhile");
    const there = await home.run(["store", "migrate", "--to", other]);
    expect([there.code, there.err]).toEqual([0, ""]);
    expect(there.out).toContain("Now write the database into your config.yaml");
    spool("at the database");
    {
      await using store = await openStore({ stateFolder, postgres: { url: other } });
      await store.ledger.takeSpool();
    }
    spool("not taken in by anybody yet");
    const { code, err } = await home.run(["store", "migrate", "--from", other, "--to", "sqlite"]);
    expect([code, err]).toEqual([0, ""]);
    await using store = await openStore({ stateFolder });
    await store.ledger.takeSpool();
    const { entries } = await store.ledger.query({ kinds: ["completion"] }, { limit: 100 });
    expect(entries.map(({ callId }) => callId).toReversed()).toEqual([
      "before",
      "meanwhile",
      "at the database",
      "not taken in by anybody yet",
    ]);
    expect(await store.ledger.verify()).toMatchObject({ ok: true, problems: [] });
  });

  it("finds a time in rows whose machines' clocks differed a little", async () => {
    const other = await createDatabase();
    const home = createCliWorld();
    onTestFinished(() => home.close());
    const stateFolder = join(home.folder, "home", ".local", "state", "toolgate");
    const begun = Date.now();
    const context = (await openContext({ url: other }, { stateFolder: elsewhere() })).context;
    const { ledgerId } = await readHead(context.db);
    const time = (n: number) => begun + n * 1_000 - (n % 2) * 5_000;
    for (let n = 1; n <= 40; n++) {
      const row = createRowMaker().completion(record(`c${n}`) as unknown as JsonObject, time(n));
      await appendBlock(context.db, { ledgerId, writer: "w", writerBlock: n, rows: [row] });
    }
    await closeContext(context);
    const moved = await home.run(["store", "migrate", "--from", other, "--to", "sqlite"]);
    expect([moved.code, moved.err]).toEqual([0, ""]);
    const database = new DatabaseSync(join(stateFolder, "toolgate.sqlite"), { readOnly: true });
    const times = database.prepare("SELECT recorded_at AS time FROM ledger ORDER BY seq").all();
    database.close();
    const sorted = times.map((row) => Number(row.time)).toSorted((one, two) => one - two);
    expect(times.map((row) => Number(row.time))).toEqual(sorted);
    expect((await home.run(["audit", "verify"])).code).toBe(0);
  });

  it("names the database that the configuration goes on with, where that is another one", async () => {
    const [configured, other] = [await createDatabase(), await createDatabase()];
    const home = createCliWorld();
    onTestFinished(() => home.close());
    const config = join(home.folder, "home", ".config", "toolgate", "config.yaml");
    mkdirSync(dirname(config), { recursive: true });
    writeFileSync(config, `store: ${configured}\n`);
    const there = await home.run(["store", "migrate", "--to", other]);
    expect([there.code, there.err]).toEqual([0, ""]);
    const name = new URL(configured).pathname.slice(1);
    expect(there.out).toMatch(new RegExp(`names another database, \\S*${name}\\. Now write this one`));
    const back = await home.run(["store", "migrate", "--from", other, "--to", "sqlite"]);
    expect(back.out).toMatch(new RegExp(`take the other database \\S*${name} out of your config.yaml`));
    const same = await home.run(["store", "migrate", "--to", configured]);
    expect(same.out).toContain("The configuration names this database");
  });

  it("brings a folder up to date whose records were moved into the database before", async () => {
    const other = await createDatabase();
    const home = createCliWorld();
    {
      await using store = await openStore({
        stateFolder: join(home.folder, "home", ".local", "state", "toolgate"),
      });
      await store.ledger.close(record("first"));
      await store.tokens.change(() => ({ tokens: [tokenRecord("revoked-there")], result: undefined }));
    }
    const to = await home.run(["store", "migrate", "--to", other]);
    expect([to.code, to.err]).toEqual([0, ""]);
    {
      await using store = await openStore({ stateFolder: elsewhere(), postgres: { url: other } });
      await store.ledger.close(record("since"));
      await store.tokens.change(() => ({ tokens: [], result: undefined }));
    }
    const { code, err } = await home.run(["store", "migrate", "--from", other, "--to", "sqlite"]);
    expect([code, err]).toEqual([0, ""]);
    for (const id of ["first", "since"])
      expect((await home.run(["audit", "show", id, "--json"])).out).toContain(id);
    expect((await home.run(["audit", "verify"])).code).toBe(0);
    // What was revoked there does not come back.
    expect((await home.run(["tokens", "list"])).out).not.toContain("revoked-there");
    home.close();
  });
});

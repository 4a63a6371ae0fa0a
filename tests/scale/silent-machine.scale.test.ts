import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { beforeAll, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/input/json.ts";
import { openStore } from "../../src/open/open-store.ts";
import { createRowMaker } from "../../src/stores/ledger/row.ts";
import { spoolRow } from "../../src/stores/ledger/spool/write-spool.ts";
import { schemaVersion } from "../../src/stores/postgres/migrate.ts";
import { intent, record } from "../contract/samples.ts";
import { approvalRequest } from "../unit/stores/sqlite/approval-request.ts";
import { describeOwnPostgres } from "./describe-postgres.ts";
import { ask, startPostgres, type TestPostgres } from "./start-postgres.ts";
import { openStoreInPostgres, type StoreInPostgres } from "./store-in-postgres.ts";

const pausedProcess = fileURLToPath(new URL("./paused-process.ts", import.meta.url));

describeOwnPostgres("machines that share a database", () => {
  let postgres: TestPostgres;
  let url: StoreInPostgres["url"];
  let store: StoreInPostgres["store"];
  let folder: StoreInPostgres["folder"];
  beforeAll(async () => {
    // A server of its own: what has just started is not yet taken to know who is silent.
    postgres = await startPostgres();
    const opened = await openStoreInPostgres(await postgres.createDatabase());
    ({ url, store, folder } = opened);
    return async () => {
      await opened.close();
      await postgres.close();
    };
  }, 60_000);

  it("release what a silent one held: questions, places, calls; but not right after the database has started", {
    timeout: 120_000,
  }, async () => {
    await store.ledger.open(intent("begun"));
    await store.approvals.open(approvalRequest("asked"));
    const claim = { limit: "l", who: "w", window: undefined, concurrent: 1 };
    expect((await store.limits.take([claim], Date.now(), false)).ok).toBe(true);
    // As if another machine had done all that, an hour ago.
    const { id } = store.processes;
    await ask(
      url,
      "INSERT INTO toolgate.nodes SELECT 'elsewhere', 'other-host', 'b', 'p', 1, NULL, now(), now() - interval '1 hour', schema_version, 1 FROM toolgate.nodes WHERE id = $1",
      [id],
    );
    await ask(url, "UPDATE toolgate.approvals SET process_id = 'elsewhere'");
    await ask(url, "UPDATE toolgate.limit_places SET process_id = 'elsewhere'");
    await ask(
      url,
      "SET session_replication_role = replica; UPDATE toolgate.ledger SET body = replace(body, '" +
        id +
        "', 'elsewhere')",
    );
    const [{ young } = { young: false }] = await ask(
      url,
      "SELECT pg_postmaster_start_time() > clock_timestamp() - interval '15 seconds' AS young",
    );
    if (young === true) {
      expect(await store.processes.living()).toContain("elsewhere");
      expect(await store.limits.take([claim], Date.now(), true)).toMatchObject({
        ok: false,
        why: "concurrent",
      });
    }
    await expect
      .poll(() => store.processes.living(), { timeout: 60_000, interval: 500 })
      .not.toContain("elsewhere");
    await expect
      .poll(async () => (await store.approvals.find("asked"))[0]?.state, { timeout: 20_000 })
      .toBe("withdrawn");
    expect(await store.limits.take([claim], Date.now(), true)).toMatchObject({ ok: true });
    await expect
      .poll(async () => (await store.ledger.show("begun")).map(({ kind }) => kind), { timeout: 20_000 })
      .toEqual(["intent", "unknown"]);
    // It had refused the call, and left that in its state folder: the record names the one that it corrects.
    const refused = record("begun", { ok: false, code: "store_unavailable", verdict: "deny" });
    const row = createRowMaker().completion(refused as unknown as JsonObject, Date.now());
    spoolRow(folder, row, Date.now());
    await store.ledger.takeSpool();
    const told = await store.ledger.show("begun");
    expect(told.map(({ kind }) => kind)).toEqual(["intent", "unknown", "completion"]);
    expect(told[2]?.body).toMatchObject({ code: "store_unavailable", corrects: told[1]?.seq });
  });

  it("correct what was said of a call while they stood still: its end is recorded, and names the other one", {
    timeout: 120_000,
  }, async () => {
    const argv = [pausedProcess, url, join(folder, "paused")];
    const child = spawn(process.execPath, argv, { stdio: ["pipe", "pipe", "inherit"] });
    const ended = once(child, "exit");
    await once(child.stdout, "data");
    child.kill("SIGSTOP");
    const rows = () => store.ledger.show("paused");
    await expect
      .poll(async () => (await rows()).map(({ kind }) => kind), { timeout: 60_000, interval: 500 })
      .toEqual(["intent", "unknown"]);
    child.kill("SIGCONT");
    child.stdin.end("go on\n");
    expect(await ended).toEqual([0, null]);
    const told = await rows();
    expect(told.map(({ kind }) => kind)).toEqual(["intent", "unknown", "completion"]);
    expect(told[2]?.body).toMatchObject({ ok: true, corrects: told[1]?.seq });
  });

  it("are not taken for dead under a statement that still runs, and register anew when they were", async () => {
    const { id } = store.processes;
    const held = new pg.Client({ connectionString: url });
    await held.connect();
    await held.query("BEGIN");
    await held.query("UPDATE toolgate.ledger_head SET seq = seq");
    const end = store.ledger.close(record("slow"));
    const free = () => ask(url, "SELECT id FROM toolgate.nodes WHERE id = $1 FOR UPDATE SKIP LOCKED", [id]);
    await expect.poll(free).toEqual([]);
    await held.query("ROLLBACK");
    await held.end();
    await end;
    expect(await free()).toHaveLength(1);
    await ask(url, "DELETE FROM toolgate.nodes WHERE id = $1", [id]);
    await store.ledger.close(record("awake"));
    expect(await store.processes.living()).toContain(id);
  });

  it("that are too old for the tables refuse to write while they run, and do not start", {
    timeout: 60_000,
  }, async () => {
    await ask(url, "UPDATE toolgate.schema_version SET version = $1, oldest = $1", [schemaVersion + 1]);
    await expect(openStore({ stateFolder: folder, postgres: { url } })).rejects.toMatchObject({
      problem: "newer",
    });
    await expect
      .poll(
        () =>
          store.ledger.tryOut().then(
            () => "",
            (error: { problem: string }) => error.problem,
          ),
        { timeout: 20_000 },
      )
      .toBe("newer");
    await expect(store.ledger.open(intent("late"))).rejects.toMatchObject({ problem: "newer" });
    await ask(url, "UPDATE toolgate.schema_version SET version = $1, oldest = 1", [schemaVersion + 1]);
    // A step that only adds is no reason to stop.
    await expect
      .poll(
        () =>
          store.ledger.tryOut().then(
            () => true,
            () => false,
          ),
        { timeout: 20_000 },
      )
      .toBe(true);
    await (await openStore({ stateFolder: folder, postgres: { url } })).close();
    await store.ledger.close(record("late"));
  });

  it("bring the tables of the first version up to date while it runs", async () => {
    const old = await postgres.createDatabase();
    const { first } = await import("../../src/stores/postgres/migrations/0001-first.ts");
    await ask(
      old,
      "CREATE SCHEMA toolgate; CREATE TABLE toolgate.schema_version (id integer PRIMARY KEY, version integer NOT NULL, oldest integer NOT NULL); INSERT INTO toolgate.schema_version VALUES (1, 1, 1)",
    );
    await ask(old, first);
    const opened = await Promise.all(
      ["a", "b", "c"].map((name) => openStore({ stateFolder: join(folder, name), postgres: { url: old } })),
    );
    expect(await ask(old, "SELECT version, oldest FROM toolgate.schema_version")).toEqual([
      { version: schemaVersion, oldest: 1 },
    ]);
    await Promise.all(opened.map((one) => one.close()));
    await sleep(1);
  });
});

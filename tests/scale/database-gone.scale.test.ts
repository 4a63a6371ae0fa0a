import { beforeAll, expect, it } from "vitest";
import { openStore, type Store } from "../../src/open/open-store.ts";
import { intent, record } from "../contract/samples.ts";
import { approvalRequest, binding } from "../unit/stores/sqlite/approval-request.ts";
import { describeOwnPostgres } from "./describe-postgres.ts";
import { ask, startPostgres, type TestPostgres } from "./start-postgres.ts";
import { openStoreInPostgres, type StoreInPostgres } from "./store-in-postgres.ts";

describeOwnPostgres("a database that goes away", () => {
  let postgres: TestPostgres;
  let url: StoreInPostgres["url"];
  let store: StoreInPostgres["store"];
  let folder: StoreInPostgres["folder"];
  beforeAll(async () => {
    postgres = await startPostgres();
    const opened = await openStoreInPostgres(await postgres.createDatabase());
    ({ url, store, folder } = opened);
    return async () => {
      await opened.close();
      await postgres.close();
    };
  }, 60_000);
  const calls = async () =>
    (await store.ledger.query({}, { limit: 1_000, order: "oldest" })).entries.map(({ callId }) => callId);

  it("stops what writes, with what to do, and goes on by itself when it is back", async () => {
    await store.ledger.open(intent("before"));
    await postgres.control.stop();
    await expect(store.ledger.open(intent("during"))).rejects.toMatchObject({ problem: "unavailable" });
    await expect(store.limits.take([], Date.now(), false)).rejects.toThrow("connects by itself");
    await expect(store.ledger.tryOut()).rejects.toMatchObject({ problem: "unavailable" });
    // What has happened is recorded later, whether or not somebody still waits for it.
    // What only reads goes on, with a record on this machine.
    await store.ledger.close(record("read"));
    const end = Promise.resolve(store.ledger.close(record("before"))).catch((error: unknown) => error);
    await postgres.control.start();
    await end;
    await expect
      .poll(
        () =>
          store.ledger.open(intent("after")).then(
            () => true,
            () => false,
          ),
        { timeout: 20_000 },
      )
      .toBe(true);
    await store.ledger.close(record("after"));
    await expect
      .poll(calls, { timeout: 20_000 })
      .toEqual(expect.arrayContaining(["before", "after", "read"]));
    // Whoever was told that it failed is not recorded later, as if it had begun.
    expect(await store.ledger.show("during")).toEqual([]);
    expect(await store.ledger.verify()).toMatchObject({ ok: true });
  });

  it("that crashes under load loses nothing that was acknowledged, and keeps nothing twice", {
    timeout: 120_000,
  }, async () => {
    const kept: string[] = [];
    let isOver = false;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; !isOver; n++) {
        const id = `crash-${writer}-${n}`;
        await store.ledger.open(intent(id)).then(
          () => kept.push(id),
          () => new Promise((resolve) => setTimeout(resolve, 50)),
        );
      }
    });
    for (let round = 0; round < 3; round++) {
      await new Promise((resolve) => setTimeout(resolve, 700));
      await postgres.control.stop("immediate");
      await postgres.control.start();
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    isOver = true;
    await Promise.all(writers);
    const count = async (kind: string) => {
      const rows = await ask(
        url,
        "SELECT call_id, count(*)::int AS times FROM toolgate.ledger WHERE call_id LIKE 'crash-%' AND kind = $1 GROUP BY 1",
        [kind],
      );
      return new Map(rows.map(({ call_id, times }) => [String(call_id), Number(times)]));
    };
    const intents = await count("intent");
    expect(kept.length).toBeGreaterThan(50);
    expect(kept.filter((id) => !intents.has(id))).toEqual([]);
    expect([...intents.values()].filter((times) => times !== 1)).toEqual([]);
    // What was refused and is there all the same has an end that says so.
    const refused = [...intents.keys()].filter((id) => !kept.includes(id)).sort();
    await expect
      .poll(async () => [...(await count("completion")).keys()].sort(), { timeout: 20_000 })
      .toEqual(refused);
    expect(await store.ledger.verify()).toMatchObject({ ok: true });
  });

  it("may end every connection at once: an answer still comes, and is used once", async () => {
    const other = await openStore({ stateFolder: folder, postgres: { url } });
    for (let round = 0; round < 5; round++) {
      const id = `ended-${round}`;
      await store.approvals.open(approvalRequest(id));
      const waiting = store.approvals.wait(id);
      await ask(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
      );
      await expect.poll(async () => await answered(other, id), { timeout: 10_000 }).toBe(true);
      expect(await waiting).toMatchObject({ state: "approved" });
      expect(await store.approvals.claim(id, binding)).toBe(true);
      expect(await store.approvals.claim(id, binding)).toBe(false);
    }
    await other.close();
    expect(await store.ledger.verify()).toMatchObject({ ok: true });
  });
});

async function answered({ approvals }: Store, id: string): Promise<boolean> {
  try {
    return (await approvals.answer(id, { decision: "approve", by: "ann" })).ok;
  } catch {
    return false;
  }
}

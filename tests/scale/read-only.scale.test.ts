import { beforeAll, expect, it } from "vitest";
import { createGate, defineTool } from "../../src/index.ts";
import { describePostgres } from "./describe-postgres.ts";
import { ask } from "./start-postgres.ts";
import { openStoreInPostgres, type StoreInPostgres } from "./store-in-postgres.ts";

describePostgres("a database that only reads for a while", () => {
  let url: StoreInPostgres["url"];
  let store: StoreInPostgres["store"];
  beforeAll(async () => {
    const opened = await openStoreInPostgres();
    ({ url, store } = opened);
    return () => opened.close();
  }, 60_000);
  /** As after a failover: connections end, and new ones meet a server that takes nothing. */
  const readOnly = async (isReadOnly: boolean) => {
    const name = new URL(url).pathname.slice(1);
    const elsewhere = new URL(url);
    elsewhere.pathname = "/postgres";
    await ask(
      elsewhere.href,
      isReadOnly
        ? `ALTER DATABASE ${name} SET default_transaction_read_only = on`
        : `ALTER DATABASE ${name} RESET default_transaction_read_only`,
    );
    if (isReadOnly)
      await ask(elsewhere.href, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [
        name,
      ]);
  };

  it("refuses what writes with store_unavailable, keeps the end of a call that ran, and goes on by itself", async () => {
    const tool = (id: string, permission: "read" | "write", run: () => Promise<void>) =>
      defineTool({
        id,
        permission,
        description: "Does something",
        input: { type: "object", properties: {} },
        run: async () => {
          await run();
          return "done";
        },
      });
    const gate = await createGate({
      store,
      builtin: false,
      tools: [
        tool("it.writes", "write", async () => {}),
        tool("it.reads", "read", async () => {}),
        tool("it.ends", "write", () => readOnly(true)),
      ],
      policies: [{ name: "yes", tools: "*", action: "approve" }],
    });
    const call = (id: string) => gate.dispatch({ tool: id, input: {} });
    expect(await call("it.writes")).toMatchObject({ ok: true });
    // The database only reads from the moment on at which this one runs: it has an effect, and is not to be repeated.
    const ran = await call("it.ends");
    expect(ran).toMatchObject({ ok: false, error: { code: "ledger_failed" } });
    for (let count = 0; count < 3; count++)
      expect(await call("it.writes")).toMatchObject({
        ok: false,
        error: { code: "store_unavailable", retryAfterMs: 2_000 },
      });
    expect(await call("it.reads")).toMatchObject({ ok: true });
    await expect(store.ledger.tryOut()).rejects.toMatchObject({ problem: "unavailable" });
    await readOnly(false);
    await expect.poll(async () => (await call("it.writes")).ok, { timeout: 30_000 }).toBe(true);
    const rows = async (callId: string) =>
      (
        await ask(url, "SELECT kind, code FROM toolgate.ledger WHERE call_id = $1 ORDER BY seq", [callId])
      ).map(({ kind, code }) => [kind, code]);
    await expect
      .poll(() => rows(ran.callId), { timeout: 30_000 })
      .toEqual([
        ["intent", null],
        ["completion", null],
      ]);
    await gate.close();
    expect(await store.ledger.verify()).toMatchObject({ ok: true, problems: [] });
  });
});

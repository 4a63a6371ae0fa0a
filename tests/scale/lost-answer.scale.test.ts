import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createGate, defineTool } from "../../src/index.ts";
import { openStore, type Store } from "../../src/open/open-store.ts";
import { intent } from "../contract/samples.ts";
import { type CuttingProxy, startCuttingProxy } from "./cutting-proxy.ts";
import { describePostgres } from "./describe-postgres.ts";
import { ask, createDatabase } from "./start-postgres.ts";

describePostgres("a statement that is committed while its answer is lost", () => {
  let url: string;
  let proxy: CuttingProxy;
  let store: Store;
  let folder: string;
  beforeEach(async () => {
    url = await createDatabase();
    proxy = await startCuttingProxy(url);
    folder = mkdtempSync(join(tmpdir(), "toolgate-lost-"));
    store = await openStore({ stateFolder: folder, postgres: { url: proxy.url } });
    // Connections that are open already: new ones are refused, and what the store does by itself takes some.
    await Promise.all(Array.from({ length: 6 }, () => store.ledger.tryOut()));
  });
  afterEach(async () => {
    proxy.restore();
    proxy.cut();
    await store.close();
    await proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });
  /** By a connection of its own. */
  const rows = async (callId: string) =>
    (await ask(url, "SELECT kind, code FROM toolgate.ledger WHERE call_id = $1 ORDER BY seq", [callId])).map(
      ({ kind, code }) => [kind, code],
    );
  /** The next answer to a statement is lost, and the connection with it. */
  const loseOne = async (work: () => Promise<unknown>, isDone: () => Promise<boolean>) => {
    proxy.loseAnswers();
    const end = work();
    await expect.poll(isDone, { timeout: 10_000 }).toBe(true);
    proxy.cut();
    return end;
  };

  it("is acknowledged with the number it has, if the database is back in time", async () => {
    const opening = await loseOne(
      async () => {
        const open = store.ledger.open(intent("soon"));
        setTimeout(() => proxy.restore(), 1_500);
        return { open };
      },
      async () => (await rows("soon")).length === 1,
    );
    await (opening as { readonly open: Promise<void> }).open;
    expect(await rows("soon")).toEqual([["intent", null]]);
  });

  it("does not stay open where the call was refused: the end is written when the database is back", async () => {
    const failed = await loseOne(
      () =>
        store.ledger.open(intent("late")).then(
          () => undefined,
          (error: unknown) => error,
        ),
      async () => (await rows("late")).length === 1,
    );
    expect(failed).toMatchObject({ problem: "unavailable" });
    proxy.restore();
    await expect
      .poll(() => rows("late"), { timeout: 20_000 })
      .toEqual([
        ["intent", null],
        ["completion", "store_unavailable"],
      ]);
    expect(await store.ledger.verify()).toMatchObject({ ok: true });
  });

  it("has one end, that of the gate, where a gate refused the call; and its tool did not run", async () => {
    const ran: string[] = [];
    const write = defineTool({
      id: "note.write",
      permission: "write",
      description: "Writes a note",
      input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      run: (args) => void ran.push((args as { text: string }).text),
    });
    const gate = await createGate({
      tools: [write],
      store,
      policies: [{ name: "yes", tools: "*", action: "approve" }],
    });
    const intents = async () =>
      ask(url, "SELECT call_id FROM toolgate.ledger WHERE kind = 'intent' AND tool = 'note.write'");
    const asked = performance.now();
    const outcome = await loseOne(
      () => gate.dispatch({ tool: "note.write", input: { text: "x" } }),
      async () => (await intents()).length === 1,
    );
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: "store_unavailable", stage: "ledger", retryAfterMs: 2_000 },
    });
    // While it is known to be away nobody waits for it.
    const before = performance.now();
    const waited = before - asked;
    expect(await gate.dispatch({ tool: "note.write", input: { text: "y" } })).toMatchObject({
      error: { code: "store_unavailable" },
    });
    expect(performance.now() - before).toBeLessThan(waited / 4);
    proxy.restore();
    const [{ call_id: callId } = { call_id: "" }] = await intents();
    const ends = [
      ["intent", null],
      ["completion", "store_unavailable"],
    ];
    await expect.poll(() => rows(String(callId)), { timeout: 20_000 }).toEqual(ends);
    await expect
      .poll(async () => (await gate.dispatch({ tool: "note.write", input: { text: "z" } })).ok)
      .toBe(true);
    expect(ran.slice(0, 1)).toEqual(["z"]);
    expect(await rows(String(callId))).toEqual(ends);
    await gate.close();
    expect(await store.ledger.verify()).toMatchObject({ ok: true });
  });
});

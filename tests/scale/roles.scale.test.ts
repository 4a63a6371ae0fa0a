import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { openStore } from "../../src/open/open-store.ts";
import { intent, record } from "../contract/samples.ts";
import { approvalRequest, binding } from "../unit/stores/sqlite/approval-request.ts";
import { describePostgres } from "./describe-postgres.ts";
import { scratchFolder } from "./scratch-folder.ts";
import { ask, createDatabase } from "./start-postgres.ts";

const page = readFileSync(new URL("../../docs/scale.md", import.meta.url), "utf8");
/** As the page gives it. */
const rights = /```sql\n(.*?)```/s.exec(page)?.[1] ?? "";

describePostgres("a role that may only add to the ledger", () => {
  let owner: string;
  let limited: string;
  const folder = scratchFolder();
  beforeAll(async () => {
    owner = await createDatabase();
    await (await openStore({ stateFolder: folder, postgres: { url: owner } })).close();
    await ask(owner, rights);
    const url = new URL(owner);
    url.username = "toolgate_gate";
    limited = url.href;
  }, 60_000);

  it("is enough for a gate", async () => {
    await using store = await openStore({ stateFolder: folder, postgres: { url: limited } });
    await store.ledger.open(intent("a"));
    await store.ledger.close(record("a"));
    await store.approvals.open(approvalRequest("q"));
    await store.approvals.answer("q", { decision: "approve", by: "ann" });
    expect(await store.approvals.claim("q", binding)).toBe(true);
    const claim = { limit: "l", who: "w", window: { max: 1, windowMs: 1_000 }, concurrent: 1 };
    expect(await store.limits.take([claim], Date.now(), false)).toMatchObject({ ok: true });
    await store.tokens.change((tokens) => ({ tokens, result: undefined }));
    await store.modes.set("s", "plan");
    await store.tasks.end(
      { callerId: "c", sessionId: "s" },
      { kind: "cancelled", by: "b", message: "m", at: Date.now() },
    );
    await store.pins.saw("k", { at: 1, tools: [], gone: [] });
    await store.ledger.checkpoint();
    expect(await store.ledger.verify()).toMatchObject({ ok: true });
  });

  it("keeps the end of a call that has run until a right that was taken away is given back", async () => {
    await using store = await openStore({ stateFolder: folder, postgres: { url: limited } });
    await store.ledger.open(intent("ran"));
    const may = (what: "REVOKE" | "GRANT") =>
      ask(
        owner,
        `${what} EXECUTE ON FUNCTION toolgate.ledger_append ${what === "GRANT" ? "TO" : "FROM"} toolgate_gate`,
      );
    await may("REVOKE");
    const problem = { problem: "cannot_open", message: expect.stringContaining("rights") };
    await expect(store.ledger.close(record("ran"))).rejects.toMatchObject(problem);
    await expect(store.ledger.open(intent("refused"))).rejects.toMatchObject(problem);
    await may("GRANT");
    const kinds = async (callId: string) => (await store.ledger.show(callId)).map(({ kind }) => kind);
    await expect.poll(() => kinds("ran"), { timeout: 10_000 }).toEqual(["intent", "completion"]);
    expect(await kinds("refused")).toEqual([]);
    await store.ledger.open(intent("later"));
    await store.ledger.close(record("later"));
    expect(await store.ledger.verify()).toMatchObject({ ok: true });
  });

  it("can neither change nor remove a record, a block, a checkpoint or the tables", async () => {
    for (const sql of [
      "UPDATE toolgate.ledger SET tool = 'x'",
      "DELETE FROM toolgate.ledger",
      "TRUNCATE toolgate.ledger",
      "UPDATE toolgate.ledger_block SET root = ''",
      "DELETE FROM toolgate.ledger_checkpoints",
      "UPDATE toolgate.ledger_keys SET pem = ''",
      "DELETE FROM toolgate.ledger_head",
      "UPDATE toolgate.ledger_head SET seq = seq - 1",
      "UPDATE toolgate.ledger_head SET hash = prev",
      "INSERT INTO toolgate.ledger (seq, block, hash, body, kind, at, recorded_at) VALUES (9, 9, '', '', 'note', 1, 1)",
      "INSERT INTO toolgate.ledger_block SELECT * FROM toolgate.ledger_block",
      "CREATE FUNCTION toolgate.ledger_append() RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'",
      "DROP TABLE toolgate.ledger",
      "ALTER TABLE toolgate.ledger DISABLE TRIGGER ALL",
    ])
      await expect(ask(limited, sql), sql).rejects.toThrow(/permission denied|must be owner/);
  });
});

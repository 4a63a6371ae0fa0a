import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSqliteLedger } from "../../../../src/stores/sqlite/ledger/sqlite-ledger.ts";
import { createSpool } from "../../../../src/surfaces/hook/process/spool.ts";
import { intent, record } from "../../../contract/ledger.ts";
import { openStoreIn, temporaryFolder } from "./temporary-store.ts";

async function world() {
  const folder = temporaryFolder();
  const ledger = createSqliteLedger(await openStoreIn(folder), { waitForCommit: true });
  return { folder, ledger };
}

describe("what was recorded for one tool use of a model", () => {
  it("is shown together, in the order in which it happened: the hook's check, the call with its intent, the end", async () => {
    const { folder, ledger } = await world();
    const toolUseId = "toolu_1";
    const at = Date.now();
    await ledger.open({ ...intent("call-2"), at: at + 10 });
    await ledger.close({ ...record("call-2"), at: at + 10, toolUseId, surface: "mcp" });
    await ledger.close({ ...record("call-3"), at, toolUseId: "toolu_2" });
    // The hook was first, but what it wrote comes into the ledger later.
    const spool = createSpool(folder, { agent: "claude-code", cwd: "/p" });
    await spool.close({ ...record("call-1"), at, toolUseId, surface: "hook", kind: "check" });
    spool.end({ at: at + 60_000, askedFor: "mcp__toolgate__x", toolUseId, ok: true });
    const shown = await ledger.show(toolUseId);
    expect(shown.map(({ kind, callId, body }) => [kind, callId, body.surface])).toEqual([
      ["completion", "call-1", "hook"],
      ["intent", "call-2", undefined],
      ["completion", "call-2", "mcp"],
      ["end", undefined, undefined],
    ]);
  });

  it("is there while the call still runs", async () => {
    const { ledger } = await world();
    await ledger.open({ ...intent("call-1"), toolUseId: "toolu_1" });
    expect((await ledger.show("toolu_1")).map(({ kind, callId }) => [kind, callId])).toEqual([
      ["intent", "call-1"],
    ]);
  });

  it("is found by a filter, and not by inputs that hold the same words", async () => {
    const { ledger } = await world();
    await ledger.close({ ...record("call-1"), toolUseId: "toolu_1" });
    await ledger.close({ ...record("call-2"), input: { toolUseId: "toolu_1" }, toolUseId: undefined });
    await ledger.close({ ...record("call-3"), input: { toolUseId: "toolu_1" }, toolUseId: "toolu_10" });
    const { entries } = await ledger.query({ toolUseId: "toolu_1" });
    expect(entries.map(({ callId }) => callId)).toEqual(["call-1"]);
    expect((await ledger.query({ toolUseId: 'x"%_' })).entries).toEqual([]);
    expect(await ledger.show("toolu_3")).toEqual([]);
  });

  it("is stored, spooled and found without the secret that somebody put into an id", async () => {
    const { folder, ledger } = await world();
    const key = ["gh", "p_", "a1B2".repeat(9)].join("");
    const ids = { sessionId: key, toolUseId: `use ${key}` };
    await ledger.open({ ...intent("call-1"), ...ids });
    await ledger.close({ ...record("call-1"), ...ids });
    await ledger.close({ ...record("call-2"), ...ids, ok: false, message: "no" });
    const spool = createSpool(folder, { agent: "claude-code", cwd: "/p" });
    await spool.close({ ...record("call-3"), ...ids, surface: "hook", kind: "check" });
    expect(filesIn(folder).filter((text) => text.includes(key))).toEqual([]);
    for (const filter of [{ session: key }, { toolUseId: ids.toolUseId }]) {
      const { entries } = await ledger.query(filter);
      expect(entries.map(({ callId }) => callId).sort()).toEqual(["call-1", "call-2", "call-3"]);
    }
    expect(filesIn(folder).filter((text) => text.includes(key))).toEqual([]);
    expect((await ledger.verify()).ok).toBe(true);
  });
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
}

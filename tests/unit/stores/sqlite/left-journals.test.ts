import { spawnSync } from "node:child_process";
import { readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createSqliteLedger } from "../../../../src/stores/sqlite/ledger/sqlite-ledger.ts";
import { openSqlite } from "../../../../src/stores/sqlite/open-sqlite.ts";
import { intent, record } from "../../../contract/ledger.ts";
import { holdLock, mountDisk, openStoreIn, temporaryFolder } from "./temporary-store.ts";

/** A store with records that were acknowledged and could not be taken into the ledger at its end. */
async function leaveRecords(folder: string, count: number): Promise<void> {
  const client = await openSqlite({ stateFolder: folder, closingPatienceMs: 100 });
  const ledger = createSqliteLedger(client);
  const letGo = holdLock(client.file);
  for (let index = 0; index < count; index++) await ledger.close(record(`left-${index}`));
  await ledger.open(intent("begun"));
  await client.close().catch(() => {});
  letGo();
}

const callsOf = async (ledger: ReturnType<typeof createSqliteLedger>) =>
  (await ledger.query({ kinds: ["intent", "completion", "unknown"] }, { limit: 1_000 })).entries;

describe("records that could not be taken into the ledger when the store was closed", () => {
  it("make the close fail, with what to do", async () => {
    const client = await openSqlite({ stateFolder: temporaryFolder(), closingPatienceMs: 100 });
    const ledger = createSqliteLedger(client);
    await ledger.close(record("a"));
    const letGo = holdLock(client.file);
    await ledger.close(record("b"));
    const closing = client.close();
    await expect(closing).rejects.toMatchObject({ problem: "busy" });
    const told = /acknowledged are still in journal\/.*the next toolgate.*takes them/s;
    await expect(closing).rejects.toThrow(told);
    letGo();
  });

  it("are taken by the next store, also of the same process, and verify passes", async () => {
    const folder = temporaryFolder();
    await leaveRecords(folder, 50);
    const ledger = createSqliteLedger(await openStoreIn(folder));
    const entries = await callsOf(ledger);
    expect(entries.filter(({ kind }) => kind === "completion")).toHaveLength(50);
    const begun = entries.filter(({ callId }) => callId === "begun");
    expect(begun.map(({ kind }) => kind).sort()).toEqual(["intent", "unknown"]);
    expect(await ledger.verify()).toMatchObject({ ok: true, problems: [] });
  });

  it("are taken also when the registration of their process is gone", async () => {
    const folder = temporaryFolder();
    await leaveRecords(folder, 20);
    const database = new DatabaseSync(join(folder, "toolgate.sqlite"));
    database.exec("DELETE FROM processes");
    database.close();
    const ledger = createSqliteLedger(await openStoreIn(folder));
    expect((await ledger.stats()).calls).toBe(20);
  });

  it("are taken by a store that was open before, when somebody verifies", async () => {
    const folder = temporaryFolder();
    const ledger = createSqliteLedger(await openStoreIn(folder));
    await leaveRecords(folder, 20);
    expect(await ledger.verify()).toMatchObject({ ok: true });
    expect((await ledger.stats()).calls).toBe(20);
  });

  it("are counted by verify while they cannot be read, and end no start", async () => {
    const folder = temporaryFolder();
    await leaveRecords(folder, 20);
    const [name] = readdirSync(join(folder, "journal")) as [string];
    const file = join(folder, "journal", name);
    const away = join(folder, "away");
    renameSync(file, away);
    // A link is not followed: it cannot be read, whoever we are.
    symlinkSync(away, file);
    const ledger = createSqliteLedger(await openStoreIn(folder));
    expect(await ledger.verify()).toMatchObject({
      ok: false,
      problems: [{ kind: "untaken", message: expect.stringContaining(`journal/${name} holds`) }],
    });
    rmSync(file);
    renameSync(away, file);
    expect(await ledger.verify()).toMatchObject({ ok: true });
    expect((await ledger.stats()).calls).toBe(20);
  });

  it("of a full disk are taken when there is room again", async ({ skip }) => {
    const disk = mountDisk("size=1m");
    if (disk === undefined) return skip("no disk can be mounted here");
    const client = await openSqlite({ stateFolder: disk });
    const ledger = createSqliteLedger(client);
    let acknowledged = 0;
    // Not one after the other: the disk is to be full while records wait in the journal.
    for (let round = 0; round < 100; round++) {
      const result = "r".repeat(600);
      const many = Array.from({ length: 20 }, (_, index) => record(`c${round}-${index}`, { result }));
      const ends = await Promise.allSettled(many.map(async (one) => ledger.close(one)));
      acknowledged += ends.filter(({ status }) => status === "fulfilled").length;
      if (ends.some(({ status }) => status === "rejected")) break;
    }
    await expect(client.close()).rejects.toMatchObject({ problem: "full" });
    expect(spawnSync("mount", ["-o", "remount,size=8m", disk]).status).toBe(0);
    const again = createSqliteLedger(await openStoreIn(disk));
    expect((await again.stats()).calls).toBeGreaterThanOrEqual(acknowledged);
    expect(acknowledged).toBeGreaterThan(100);
    // A record that the disk took in part was refused, and what there is of it is kept aside.
    const { problems } = await again.verify();
    expect(problems.filter(({ kind }) => kind !== "rejected")).toEqual([]);
  });
});

it("a journal whose process still runs is no problem, and is left to it", async () => {
  const folder = temporaryFolder();
  const client = await openStoreIn(folder);
  const other = createSqliteLedger(await openStoreIn(folder));
  const letGo = holdLock(client.file);
  await createSqliteLedger(client).close(record("a"));
  // Its own try to take it waits for the lock, and so does what verify would take.
  const verified = other.verify();
  await sleep(200);
  letGo();
  expect(await verified).toMatchObject({ ok: true, problems: [] });
  const ledger = createSqliteLedger(await openStoreIn(folder));
  await expect.poll(async () => (await ledger.stats()).calls).toBe(1);
});

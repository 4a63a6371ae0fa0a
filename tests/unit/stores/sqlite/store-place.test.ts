import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { setAside } from "../../../../src/stores/ledger/spool/set-aside.ts";
import { BellRope } from "../../../../src/stores/sqlite/bell.ts";
import { createSqliteLedger } from "../../../../src/stores/sqlite/ledger/sqlite-ledger.ts";
import { openSqlite, type SqliteClient } from "../../../../src/stores/sqlite/open-sqlite.ts";
import { intent, record } from "../../../contract/ledger.ts";
import { openStoreIn, temporaryFolder } from "./temporary-store.ts";

async function open(folder: string, waitForCommit = false) {
  const client = await openSqlite({ stateFolder: folder });
  onTestFinished(() => client.close().catch(() => {}));
  const ledger = createSqliteLedger(client, { waitForCommit });
  await ledger.close(record("before"));
  // What is done after a commit is done when the next question is answered: nobody writes to the folder while it goes.
  await ledger.query({});
  await ledger.running();
  return { client, ledger };
}

const gone = { problem: "gone", message: expect.stringContaining("was deleted or replaced") };

async function expectRefused(ledger: ReturnType<typeof createSqliteLedger>): Promise<void> {
  await expect((async () => ledger.close(record("after")))()).rejects.toMatchObject(gone);
  await expect(ledger.open(intent("after"))).rejects.toMatchObject(gone);
  const many = Array.from({ length: 20 }, async (_, index) => ledger.close(record(`many-${index}`)));
  for (const end of await Promise.allSettled(many))
    expect(end).toMatchObject({ status: "rejected", reason: gone });
  await expect(ledger.tryOut()).rejects.toMatchObject(gone);
}

/** As it ends: loud, and nothing is written where it was. */
async function expectLoudEnd(client: SqliteClient): Promise<void> {
  await expect(client.close()).rejects.toMatchObject({ problem: "gone" });
}

describe.each([
  ["journal", false],
  ["commits", true],
])("a state folder that is no longer the one that was opened (%s)", (_, waitForCommit) => {
  it("refuses every call after it was deleted, and does not make it anew", async () => {
    const folder = join(temporaryFolder(), "state");
    const { client, ledger } = await open(folder, waitForCommit);
    rmSync(folder, { recursive: true });
    await expectRefused(ledger);
    await expectLoudEnd(client);
    expect(existsSync(folder)).toBe(false);
  });

  it("refuses every call after another store took its place, and writes nothing into that one", async () => {
    const folder = join(temporaryFolder(), "state");
    const { client, ledger } = await open(folder, waitForCommit);
    renameSync(folder, `${folder}-old`);
    const other = createSqliteLedger(await openStoreIn(folder));
    await other.close(record("theirs"));
    await other.checkpoint();
    const signed = readFileSync(join(folder, "checkpoints.jsonl"), "utf8");
    await expectRefused(ledger);
    await expect(ledger.checkpoint()).rejects.toMatchObject(gone);
    await expectLoudEnd(client);
    expect(readFileSync(join(folder, "checkpoints.jsonl"), "utf8")).toBe(signed);
    await other.close(record("theirs too"));
    expect(await other.verify()).toMatchObject({ ok: true, rows: 2 });
  });

  it("refuses every call after a copy took its place", async () => {
    const folder = join(temporaryFolder(), "state");
    const { ledger } = await open(folder, waitForCommit);
    cpSync(folder, `${folder}-copy`, { recursive: true });
    renameSync(folder, `${folder}-old`);
    renameSync(`${folder}-copy`, folder);
    await expectRefused(ledger);
  });

  it("takes calls again when it is put back", async () => {
    const folder = join(temporaryFolder(), "state");
    const { ledger } = await open(folder, waitForCommit);
    renameSync(folder, `${folder}-old`);
    await expectRefused(ledger);
    renameSync(`${folder}-old`, folder);
    await ledger.close(record("again"));
    await ledger.tryOut();
    expect((await ledger.stats()).calls).toBe(2);
    expect(await ledger.verify()).toMatchObject({ ok: true });
  });
});

it("is not made anew by a bell that is rung after a commit, nor by what is kept aside", () => {
  const folder = join(temporaryFolder(), "state");
  const rope = new BellRope(folder);
  rope.ring("ledger");
  rope.close();
  expect(() => setAside(folder, "journal/a.0.lines", 0, Buffer.from("a"))).toThrow("ENOENT");
  expect(existsSync(folder)).toBe(false);
});

describe("the journal of a process that runs", () => {
  const only = (folder: string) => join(folder, "journal", readdirSync(join(folder, "journal"))[0] ?? "");

  it("is begun anew when somebody deletes it, and verify tells", async () => {
    const folder = temporaryFolder();
    const { ledger } = await open(folder);
    rmSync(only(folder));
    await ledger.close(record("after"));
    const { entries } = await ledger.query({});
    expect(entries.map(({ callId }) => callId)).toContain("after");
    expect(await ledger.verify()).toMatchObject({ ok: false, problems: [{ kind: "rejected" }] });
  });

  it("is begun anew when somebody cuts it, also between two lines, and verify tells", async () => {
    const folder = temporaryFolder();
    const { ledger } = await open(folder);
    truncateSync(only(folder), 0);
    await ledger.close(record("after"));
    expect((await ledger.query({})).entries.map(({ callId }) => callId)).toContain("after");
    const { ok, problems } = await ledger.verify();
    expect([ok, problems[0]?.kind]).toEqual([false, "rejected"]);
    const aside = join(folder, "aside", readdirSync(join(folder, "aside"))[0] ?? "");
    const why = "somebody changed it while its process was running";
    expect(readFileSync(aside, "utf8")).toContain(why);
  });
});

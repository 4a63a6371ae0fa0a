import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSqliteLedger } from "../../../../src/stores/sqlite/ledger/sqlite-ledger.ts";
import { intent, record } from "../../../contract/ledger.ts";
import { openStoreIn, temporaryFolder } from "./temporary-store.ts";

/** A store whose records go through the journal, and how many rows others see of it. */
async function open() {
  const client = await openStoreIn(temporaryFolder());
  const ledger = createSqliteLedger(client);
  const database = new DatabaseSync(client.file, { readOnly: true, timeout: 5_000 });
  onTestFinished(() => database.close());
  const count = database.prepare("SELECT count(*) AS rows FROM ledger");
  return { client, ledger, rows: () => Number(count.get()?.rows) };
}

/** Another process: holds the lock as soon as it gets it. */
function otherWriter(file: string) {
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  return {
    holds(): boolean {
      try {
        database.exec("BEGIN IMMEDIATE");
        return true;
      } catch {
        return false;
      }
    },
    letGo: () => database.exec("ROLLBACK"),
  };
}

describe("rows on their way into the ledger", () => {
  it("are there for others also while a burst of reads goes on", async () => {
    const { ledger, rows } = await open();
    let written = 0;
    // It would go on for ever if they came only after the last one.
    for (; rows() === 0; await sleep(5)) await ledger.close(record(`call-${written++}`));
    expect((await ledger.stats()).calls).toBe(written);
  });

  it("are taken while calls begin that write, however many begin", async () => {
    const { ledger, rows } = await open();
    const one = async (id: string) => {
      await ledger.open(intent(id));
      await ledger.close(record(id));
    };
    for (let round = 0; round < 20; round++)
      await Promise.all(Array.from({ length: 64 }, (_, index) => one(`call-${round}-${index}`)));
    expect(rows()).toBeGreaterThan(0);
    await expect.poll(rows, { interval: 10 }).toBe(2 * 20 * 64);
  });

  it("hold up a call for one piece when too many wait, not until half of them are taken", async () => {
    const { client, ledger, rows } = await open();
    const other = otherWriter(client.file);
    await expect.poll(other.holds, { interval: 1 }).toBe(true);
    for (let index = 0; index < 16_001; index++) void ledger.close(record(`call-${index}`));
    await turn();
    const begun = ledger.open(intent("begun"));
    let hasBegun = false;
    void begun.then(() => (hasBegun = true));
    await sleep(100);
    expect(hasBegun).toBe(false);
    other.letGo();
    while (rows() === 0 || !other.holds()) await turn();
    await begun;
    other.letGo();
  });

  it("are taken piece by piece also when the store is closed, so that others write in between", async () => {
    const { client, ledger, rows } = await open();
    const other = otherWriter(client.file);
    await expect.poll(other.holds, { interval: 1 }).toBe(true);
    const many = 15_000;
    for (let index = 0; index < many; index++) void ledger.close(record(`call-${index}`));
    await turn();
    const closing = client.close();
    let isClosed = false;
    void closing.then(() => (isClosed = true));
    other.letGo();
    let seen = 0;
    while (!isClosed && (seen === 0 || seen === many)) {
      seen = rows();
      await turn();
    }
    await closing;
    expect(seen).toBeGreaterThan(0);
    expect(seen).toBeLessThan(many);
    expect(rows()).toBe(many);
  });
});

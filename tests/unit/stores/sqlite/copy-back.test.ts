import { statSync } from "node:fs";
import { expect, it } from "vitest";
import { createSqliteLedger } from "../../../../src/stores/sqlite/ledger/sqlite-ledger.ts";
import { record } from "../../../contract/ledger.ts";
import { openStoreIn, temporaryFolder } from "./temporary-store.ts";

it("what was written is in the database itself a moment after the last write, while the store stays open", async () => {
  const client = await openStoreIn(temporaryFolder());
  const ledger = createSqliteLedger(client);
  const before = statSync(client.file).size;
  for (let index = 0; index < 100; index++)
    await ledger.close(record(`c${index}`, { result: "word ".repeat(200) }));
  await ledger.show(0);
  await expect.poll(() => statSync(client.file).size).toBeGreaterThan(before + 50_000);
});

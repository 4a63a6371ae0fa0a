/** A store in a new database of a PostgreSQL that was started for it, with a state folder of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Store } from "../../src/open/open-store.ts";
import { startPostgres, type TestPostgres } from "./start-postgres.ts";

export interface StoreInPostgres {
  readonly postgres: TestPostgres;
  readonly url: string;
  readonly store: Store;
  readonly folder: string;
  close(): Promise<void>;
}

export async function openStoreInPostgres(): Promise<StoreInPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-scale-"));
  const postgres = await startPostgres();
  const url = await postgres.createDatabase();
  const store = await openStore({ stateFolder: folder, postgres: { url } });
  return {
    postgres,
    url,
    store,
    folder,
    async close() {
      await store.close();
      await postgres.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

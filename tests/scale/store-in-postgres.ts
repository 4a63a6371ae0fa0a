/** A store in a new database, with a state folder of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Store } from "../../src/open/open-store.ts";
import { createDatabase } from "./start-postgres.ts";

export interface StoreInPostgres {
  readonly url: string;
  readonly store: Store;
  readonly folder: string;
  close(): Promise<void>;
}

/** In the shared server, or in the one that `url` names. */
export async function openStoreInPostgres(url?: string): Promise<StoreInPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-scale-"));
  const database = url ?? (await createDatabase());
  const store = await openStore({ stateFolder: folder, postgres: { url: database } });
  return {
    url: database,
    store,
    folder,
    async close() {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Stores in folders of their own, gone when the tests end. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { openSqlite, type SqliteClient } from "../../../../src/stores/sqlite/open-sqlite.ts";

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function openStoreIn(stateFolder: string): Promise<SqliteClient> {
  const client = await openSqlite({ stateFolder });
  onTestFinished(() => client.close());
  return client;
}

/** One store for a file of tests; each asks for it with these tables empty. Starting a thread for each would take most of the time. */
export function sharedStore(tables: readonly string[]): () => SqliteClient {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-store-"));
  let client: SqliteClient | undefined;
  beforeAll(async () => {
    client = await openSqlite({ stateFolder: folder });
  });
  afterAll(async () => {
    await client?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    if (client === undefined) throw new Error("the store is not open yet");
    const database = new DatabaseSync(client.file, { timeout: 5_000 });
    for (const table of tables) database.exec(`DELETE FROM ${table}`);
    database.close();
    return client;
  };
}

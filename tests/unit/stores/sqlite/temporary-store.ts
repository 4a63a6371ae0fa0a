/** Stores in folders of their own, gone when the tests end. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
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

/** Another process that holds the write lock; returns how to let it go. */
export function holdLock(file: string): () => void {
  const database = new DatabaseSync(file);
  database.exec("BEGIN IMMEDIATE");
  onTestFinished(() => database.close());
  return () => database.exec("ROLLBACK");
}

/** A disk of one's own, where that is possible. */
export function mountDisk(options: string): string | undefined {
  const disk = join(temporaryFolder(), "disk");
  mkdirSync(disk);
  if (process.getuid?.() !== 0) return undefined;
  if (spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", disk]).status !== 0) return undefined;
  onTestFinished(() => void spawnSync("umount", ["-l", disk]));
  return disk;
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

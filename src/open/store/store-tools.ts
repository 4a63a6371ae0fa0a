/** Looks at a store, and moves its records to another one. */
import type { PostgresPlace } from "../../core/ports/store.ts";
import { createSystemClock } from "../../gate/system.ts";
import type { MovedStore } from "../../stores/move/sqlite-to-postgres.ts";
import type { PostgresStatus } from "../../stores/postgres/status.ts";
import { openStore } from "../open-store.ts";
import type { StorePlace } from "./find-store.ts";

export type { MovedStore, PostgresStatus };

export interface SqliteStatus {
  readonly kind: "sqlite";
  readonly place: string;
  readonly ledger: { readonly lastRow: number };
  readonly processes: readonly string[];
}

export async function readStoreStatus(place: StorePlace): Promise<PostgresStatus | SqliteStatus> {
  if (place.postgres !== undefined) {
    const { readPostgresStatus } = await import("../../stores/postgres/status.ts");
    return readPostgresStatus(place.postgres);
  }
  await using store = await openStore(place);
  const { entries } = await store.ledger.query(
    { kinds: ["intent", "completion", "unknown", "end", "note"] },
    { limit: 1 },
  );
  const own = store.processes.id;
  return {
    kind: "sqlite",
    place: store.file,
    ledger: { lastRow: entries[0]?.seq ?? 0 },
    processes: (await store.processes.living()).filter((id) => id !== own),
  };
}

/** As messages name it: without its password. */
export async function describeDatabase(place: PostgresPlace): Promise<string> {
  const { toConnection } = await import("../../stores/postgres/connect/postgres-url.ts");
  return toConnection(place).shown;
}

/** Rejects with a StoreError that says what to do. */
export async function moveStore(
  stateFolder: string,
  to: PostgresPlace,
  onProgress: (row: number, last: number) => void,
): Promise<MovedStore> {
  const { moveToPostgres } = await import("../../stores/move/sqlite-to-postgres.ts");
  return moveToPostgres({ stateFolder, to, clock: createSystemClock(), onProgress });
}

/** The other way. Rejects with a StoreError that says what to do. */
export async function moveStoreBack(
  stateFolder: string,
  from: PostgresPlace,
  onProgress: (row: number, last: number) => void,
): Promise<MovedStore> {
  const { moveToSqlite } = await import("../../stores/move/postgres-to-sqlite.ts");
  return moveToSqlite({ stateFolder, from, clock: createSystemClock(), onProgress });
}

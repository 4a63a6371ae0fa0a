/** The durable store of a program. The only place that knows which kinds of store there are. */
import type { Store, StoreOptions, StoreParts } from "../core/ports/store.ts";
import { createSystemClock } from "../gate/system.ts";
import { createFilePins } from "../stores/files/file-pins.ts";
import { createFileTokens } from "../stores/files/file-tokens.ts";
import type { PostgresOptions } from "../stores/postgres/postgres-store.ts";
import { openSqliteStore } from "../stores/sqlite/sqlite-store.ts";
import type { StoreThread } from "./start-store-thread.ts";
import { openWhenUsed } from "./store/open-when-used.ts";

export type { ApprovalRecord } from "../core/ports/approval-store.ts";
export type { Store, StoreOptions } from "../core/ports/store.ts";
export { verifyExport } from "../stores/anchors/verify-export.ts";

export interface OpenedStore extends Store {
  readonly file: string;
}

/** Rejects with a StoreError that says what to do when the file cannot be used. */
export function openStore(options: StoreOptions): Promise<OpenedStore>;
/** @internal Programs without Node's types cannot read the type of a thread. */
export function openStore(options: StoreOptions, thread?: StoreThread): Promise<OpenedStore>;
export function openStore(options: StoreOptions, thread?: StoreThread): Promise<OpenedStore> {
  const { postgres } = options;
  return postgres === undefined
    ? openSqliteStore(options, createSystemClock(), thread)
    : openInPostgres({ ...options, postgres });
}

/** Loaded by those alone who keep their records there. */
async function openInPostgres(options: PostgresOptions): Promise<OpenedStore> {
  const { openPostgresStore } = await import("../stores/postgres/postgres-store.ts");
  return openPostgresStore(options, createSystemClock());
}

/** Opens nothing before it is used. */
export function openStoreParts({
  stateFolder,
  postgres,
}: Pick<StoreOptions, "stateFolder" | "postgres">): StoreParts {
  if (postgres !== undefined)
    return openWhenUsed(async () => {
      const { openPostgresParts } = await import("../stores/postgres/postgres-store.ts");
      return openPostgresParts(postgres);
    });
  return {
    pins: createFilePins(stateFolder),
    tokens: createFileTokens(stateFolder),
    [Symbol.asyncDispose]: async () => {},
  };
}

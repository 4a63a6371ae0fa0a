/** What the worker remembers about the ledger: how rows are made, which calls of this process are open. */
import { createRedactor } from "../../../safe/redact/redact.ts";
import { createCleaner } from "../../ledger/clean-text.ts";
import { createRowMaker, type RowMaker } from "../../ledger/row.ts";
import type { StoreContext } from "../area.ts";
import type { Head } from "./append.ts";

export interface LedgerState {
  readonly makeRow: RowMaker;
  /** Open calls of this process, in the order of their intents. */
  readonly open: Map<string, OpenCall>;
  readonly options: LedgerOptions;
  /** As the last transaction of this process that looked at it left it. */
  lastHead: Head | undefined;
}

export interface OpenCall {
  readonly seq: number;
  /** Ready for the row that ends the call, if that row is made in the worker. */
  readonly inputText: string | undefined;
}

export interface LedgerOptions {
  /** Exact values that must never be stored, wherever they stand. */
  readonly secrets?: readonly string[];
  /** The files of hooks are for another store to take in. */
  readonly leaveSpool?: boolean;
  /** The disk must hold a checkpoint before the next one. */
  readonly syncCheckpoints?: boolean;
}

const stateKey = "ledger";

export function makeLedgerState(store: StoreContext, options: LedgerOptions): void {
  const { secrets = [] } = options;
  store.kept.set(stateKey, {
    makeRow: createRowMaker(createCleaner(createRedactor({ secrets }))),
    open: new Map(),
    options,
    lastHead: undefined,
  } satisfies LedgerState);
}

export function ledgerState(store: StoreContext): LedgerState {
  return store.kept.get(stateKey) as LedgerState;
}

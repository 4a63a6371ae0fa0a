/** The durable store of a program: one SQLite file in the state folder, shared by every toolgate process of the user. */
/// <reference lib="esnext.disposable" preserve="true" />
import type { GrantStore } from "../core/call/approval.ts";
import type { LedgerAnchor } from "../core/ports/ledger-reader.ts";
import type { LimitStore } from "../core/ports/ports.ts";
import { createSystemClock } from "../gate/system.ts";
import { createRedactor } from "../safe/redact/redact.ts";
import { openAnchors } from "../stores/anchors/open-anchors.ts";
import { createSqliteApprovals, type SqliteApprovals } from "../stores/sqlite/approvals/sqlite-approvals.ts";
import { createSqliteGrants } from "../stores/sqlite/grants/sqlite-grants.ts";
import { checkpointBell } from "../stores/sqlite/ledger/checkpoints.ts";
import { checkpointsFile } from "../stores/sqlite/ledger/checkpoints-file.ts";
import { createSqliteLedger, type DurableLedger } from "../stores/sqlite/ledger/sqlite-ledger.ts";
import { createSqliteLimits } from "../stores/sqlite/limits/sqlite-limits.ts";
import { openSqlite } from "../stores/sqlite/open-sqlite.ts";
import type { StoreThread } from "../stores/sqlite/store-thread.ts";

export { verifyExport } from "../stores/ledger/verify-export.ts";
export type { ApprovalRecord } from "../stores/sqlite/approvals/approval-rows.ts";

export interface StoreOptions {
  /** Absolute; made if it is not there, private to its owner. */
  readonly stateFolder: string;
  /** What an acknowledged record survives. Default: `process-death`; `power-loss` waits for the disk at every commit. */
  readonly durability?: "process-death" | "power-loss";
  /** Older records are removed, with a signed note, when the store is opened and every few hours. Default: they are kept. */
  readonly keepDays?: number;
  /** Where signed checkpoints are also kept, in the background: `verify` then finds that the whole state folder was put back. */
  readonly anchors?: readonly LedgerAnchor[];
  /** Nothing is brought to these; `verify` compares with those that are files. */
  readonly comparedAnchors?: readonly LedgerAnchor[];
  /** Hears when an anchor fails, and when it works again. */
  readonly onAnchor?: (message: string) => void;
  /** Values that must never be stored, wherever they stand, besides what looks like a secret. */
  readonly secrets?: readonly string[];
  readonly approvals?: {
    /** A denial also rejects what else waits in the session. Default: true. */
    readonly rejectOthers?: boolean;
    /** Of all processes together. Default: 100. */
    readonly maxPending?: number;
  };
}

export interface Store extends AsyncDisposable {
  readonly file: string;
  readonly ledger: DurableLedger;
  readonly approvals: SqliteApprovals;
  readonly grants: GrantStore;
  readonly limits: LimitStore;
  /** Which anchors take no checkpoints now, and why. */
  failingAnchors(): readonly { readonly name: string; readonly why: string }[];
  /** For what goes to other files, such as long output. */
  readonly redactText: (text: string) => string;
  /**
   * Signs what is there and lets the file go. Close the gates that use it first. Rejects with a StoreError when not everything could be
   * taken into the ledger: it is closed all the same, and the next one that is opened takes the rest.
   */
  close(): Promise<void>;
}

/** Rejects with a StoreError that says what to do when the file cannot be used. */
export async function openStore(options: StoreOptions, thread?: StoreThread): Promise<Store> {
  const { stateFolder, durability = "process-death", secrets = [] } = options;
  const areaOptions = {
    approvals: { secrets },
    ledger: { secrets, syncCheckpoints: durability === "power-loss" },
  };
  const client = await openSqlite({ stateFolder, durability, areaOptions }, thread);
  const redactor = createRedactor({ secrets });
  const ledger = createSqliteLedger(client, {
    redactor,
    waitForCommit: durability === "power-loss",
    anchorFiles: anchorFilesOf([...(options.anchors ?? []), ...(options.comparedAnchors ?? [])]),
  });
  const anchors = openAnchors(options.anchors ?? [], {
    stateFolder,
    checkpointsFile: checkpointsFile(stateFolder),
    listen: (listener) => client.listen(checkpointBell, listener),
    tell: options.onAnchor ?? (() => {}),
  });
  const stopTidying = keepTidy(ledger, options.keepDays);
  const approvals = createSqliteApprovals(client, { clock: createSystemClock(), ...options.approvals });
  const close = async () => {
    stopTidying();
    await approvals.close();
    try {
      await client.close();
    } finally {
      await anchors.close();
    }
  };
  return {
    file: client.file,
    ledger,
    approvals,
    grants: createSqliteGrants(client),
    limits: createSqliteLimits(client),
    failingAnchors: () => anchors.failing(),
    redactText: redactor.redactText,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Those that can be read again. */
function anchorFilesOf(anchors: readonly LedgerAnchor[]): string[] {
  return anchors.flatMap((anchor) => ("file" in anchor ? [anchor.file] : []));
}

const tidyEveryMs = 6 * 3_600_000;

/** Takes in what hooks have written, and removes what is too old. Nobody waits for it: what fails is tried again, and every reader hears of it. */
function keepTidy(ledger: DurableLedger, keepDays: number | undefined): () => void {
  const tidy = async () => {
    await ledger.takeSpool();
    if (keepDays !== undefined) await ledger.removeBefore(Date.now() - keepDays * 86_400_000);
  };
  const tryIt = () => void tidy().catch(() => {});
  tryIt();
  const timer = setInterval(tryIt, tidyEveryMs).unref();
  return () => clearInterval(timer);
}

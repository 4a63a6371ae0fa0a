/** The store of one machine: a SQLite file in the state folder, shared by all processes of the user. */
import type { Clock } from "../../core/ports/ports.ts";
import type { Store, StoreLedger, StoreOptions } from "../../core/ports/store.ts";
import { createRedactor } from "../../safe/redact/redact.ts";
import { openAnchors } from "../anchors/open-anchors.ts";
import { createFilePins } from "../files/file-pins.ts";
import { createFileTasks } from "../files/file-tasks.ts";
import { createFileTokens } from "../files/file-tokens.ts";
import { checkpointsFile } from "../ledger/checkpoints-file.ts";
import { createMemoryModes } from "../memory/memory-modes.ts";
import { createSqliteApprovals } from "./approvals/sqlite-approvals.ts";
import { createSqliteGrants } from "./grants/sqlite-grants.ts";
import { checkpointBell } from "./ledger/checkpoints.ts";
import { createSqliteLedger } from "./ledger/sqlite-ledger.ts";
import type { LedgerOptions } from "./ledger/state.ts";
import { createSqliteLimits } from "./limits/sqlite-limits.ts";
import { openSqlite } from "./open-sqlite.ts";
import type { processesArea } from "./processes/processes-area.ts";
import { createSqliteSessions } from "./sessions/sqlite-sessions.ts";
import type { StoreThread } from "./store-thread.ts";

export type SqliteOptions = StoreOptions & Pick<LedgerOptions, "leaveSpool">;

export async function openSqliteStore(
  options: SqliteOptions,
  clock: Clock,
  thread?: StoreThread,
): Promise<Store & { readonly file: string }> {
  const { stateFolder, durability = "process-death", secrets = [], leaveSpool = false } = options;
  const { anchors = [], comparedAnchors = [], onAnchor = () => {} } = options;
  const waitForCommit = durability === "power-loss";
  const ledgerOptions = { secrets, leaveSpool, syncCheckpoints: waitForCommit };
  const areaOptions = { approvals: { secrets }, ledger: ledgerOptions };
  const client = await openSqlite({ stateFolder, durability, areaOptions }, thread);
  const redactor = createRedactor({ secrets });
  // Those that can be read again.
  const anchorFiles = [...anchors, ...comparedAnchors].flatMap((one) => ("file" in one ? [one.file] : []));
  const ledger = createSqliteLedger(client, { redactor, waitForCommit, anchorFiles });
  const brought = openAnchors(anchors, {
    stateFolder,
    checkpointsFile: checkpointsFile(stateFolder),
    listen: (listener) => client.listen(checkpointBell, listener),
    tell: onAnchor,
  });
  const stopTidying = keepTidy(ledger, options.keepDays);
  const approvals = createSqliteApprovals(client, { clock, ...options.approvals });
  const processes = client.area<typeof processesArea>("processes");
  const close = async () => {
    stopTidying();
    await approvals.close();
    try {
      await client.close();
    } finally {
      await brought.close();
    }
  };
  return {
    file: client.file,
    ledger,
    approvals,
    grants: createSqliteGrants(client),
    limits: createSqliteLimits(client),
    pins: createFilePins(stateFolder),
    tokens: createFileTokens(stateFolder),
    modes: createMemoryModes(),
    tasks: createFileTasks(stateFolder),
    sessions: createSqliteSessions(client, redactor),
    processes: { id: client.processId, living: () => processes.read("living", undefined) },
    failingAnchors: () => brought.failing(),
    redactText: redactor.redactText,
    close,
    [Symbol.asyncDispose]: close,
  };
}

const tidyEveryMs = 6 * 3_600_000;

/** Takes in what hooks have written and removes what is too old. What fails is tried again. */
function keepTidy(ledger: StoreLedger, keepDays: number | undefined): () => void {
  const tidy = async () => {
    await ledger.takeSpool();
    if (keepDays !== undefined) await ledger.removeBefore(Date.now() - keepDays * 86_400_000);
  };
  const tryIt = () => void tidy().catch(() => {});
  tryIt();
  const timer = setInterval(tryIt, tidyEveryMs).unref();
  return () => clearInterval(timer);
}

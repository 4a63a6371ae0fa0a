/** The store of many machines: a PostgreSQL database. Each machine keeps its hooks' files and copies of checkpoints. */
import type { Clock } from "../../core/ports/ports.ts";
import type { PostgresPlace, Store, StoreOptions, StoreParts } from "../../core/ports/store.ts";
import { openAnchors } from "../anchors/open-anchors.ts";
import { createFileTasks } from "../files/file-tasks.ts";
import { createMemoryModes } from "../memory/memory-modes.ts";
import { createSharedApprovals } from "../port/shared-approvals.ts";
import { createApprovalOperations } from "./approvals/approval-operations.ts";
import { Bells } from "./bells.ts";
import { toConnection } from "./connect/postgres-url.ts";
import { Database } from "./database.ts";
import { createEndedClients } from "./ended-clients.ts";
import { Facts } from "./facts.ts";
import { createPostgresGrants } from "./grants.ts";
import { createPostgresLedger } from "./ledger/postgres-ledger.ts";
import { createPostgresLimits } from "./limits.ts";
import { Maintenance } from "./maintenance.ts";
import { migrate } from "./migrate.ts";
import { createProcesses } from "./nodes.ts";
import { openContext } from "./open-context.ts";
import { createPostgresParked } from "./parked-calls.ts";
import { createPostgresPins } from "./pins.ts";
import { createPostgresSessions } from "./sessions/postgres-sessions.ts";
import { createSharedModes } from "./shared-modes.ts";
import { openSharedSecret } from "./shared-secret.ts";
import { createSharedTasks } from "./shared-tasks.ts";
import { createPostgresTokens } from "./tokens.ts";

export interface PostgresOptions extends StoreOptions {
  readonly postgres: PostgresPlace;
}

export async function openPostgresStore(
  options: PostgresOptions,
  clock: Clock,
): Promise<Store & { readonly file: string }> {
  const { stateFolder, secrets = [], anchors = [], comparedAnchors = [], onAnchor = () => {} } = options;
  const { context, head } = await openContext(options.postgres, { stateFolder, secrets });
  const { db, bells, redactor, nodeId, place } = context;
  try {
    const anchorFiles = [...anchors, ...comparedAnchors].flatMap((one) => ("file" in one ? [one.file] : []));
    const ledger = createPostgresLedger(context, { ledgerId: head.ledgerId, anchorFiles });
    const maintenance = new Maintenance(context, ledger, head.seq);
    await maintenance.start();
    const approvals = createSharedApprovals(createApprovalOperations(context), {
      clock,
      ...options.approvals,
    });
    const tasks = createSharedTasks(createFileTasks(stateFolder), place, (fact) => facts.say("task", [fact]));
    const modes = createSharedModes(createMemoryModes(), nodeId, (said) => facts.say("mode", said));
    const facts = new Facts(context, { task: (fact) => tasks.hear(fact), mode: (fact) => modes.hear(fact) });
    await facts.open();
    const sharedSecret = await openSharedSecret(db);
    const stopCopying = bells.listen("checkpoint", () => void ledger.checkpoints.copy());
    const brought = openAnchors(anchors, {
      stateFolder,
      checkpointsFile: ledger.checkpoints.file,
      listen: (listener) => bells.listen("checkpoint", () => void ledger.checkpoints.copy().then(listener)),
      tell: onAnchor,
    });
    const limits = createPostgresLimits(context);
    const stopTidying = keepTidy(ledger, options.keepDays);
    let closing: Promise<void> | undefined;
    const closeAll = async () => {
      stopTidying();
      facts.close();
      stopCopying();
      await approvals.close();
      await limits.close();
      try {
        await ledger.writer.close();
        await maintenance.stop();
      } finally {
        await brought.close();
        await bells.close();
        await db.close();
      }
    };
    const close = () => (closing ??= closeAll());
    return {
      file: db.connection.shown,
      ledger,
      approvals,
      grants: createPostgresGrants(context, ledger.addNote),
      limits,
      pins: createPostgresPins(db, bells),
      tokens: createPostgresTokens(db),
      modes,
      tasks,
      sessions: createPostgresSessions(context),
      processes: createProcesses(context),
      parked: createPostgresParked(context),
      endedClients: createEndedClients(context),
      sharedSecret,
      failingAnchors: () => brought.failing(),
      redactText: redactor.redactText,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await bells.close();
    await db.close();
    throw error;
  }
}

/** Pins and tokens alone. Nothing is opened before it is used. */
export async function openPostgresParts(place: PostgresPlace): Promise<StoreParts> {
  const db = await Database.open(toConnection(place), 2);
  const bells = new Bells(db);
  const close = async () => {
    await bells.close();
    await db.close();
  };
  try {
    await migrate(db);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    pins: createPostgresPins(db, bells),
    tokens: createPostgresTokens(db),
    [Symbol.asyncDispose]: close,
  };
}

const tidyEveryMs = 6 * 3_600_000;

/** Removes what is too old. What fails is tried again. */
function keepTidy(
  ledger: { removeBefore(time: number): Promise<unknown> },
  keepDays: number | undefined,
): () => void {
  if (keepDays === undefined) return () => {};
  const tidy = () => void ledger.removeBefore(Date.now() - keepDays * 86_400_000).catch(() => {});
  tidy();
  const timer = setInterval(tidy, tidyEveryMs).unref();
  return () => clearInterval(timer);
}

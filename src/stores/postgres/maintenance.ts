/** What the process does by itself: says that it is there, deals with what dead ones left, signs, takes in, tidies. */
import { StoreError } from "../../core/ports/store-error.ts";
import { forgetEnded, withdrawOwned } from "./approvals/approval-operations.ts";
import type { PostgresContext } from "./context.ts";
import { forgetEndedClients } from "./ended-clients.ts";
import { forgetOldFacts } from "./facts.ts";
import { forgetExpired } from "./grants.ts";
import { unknownRows } from "./ledger/open-calls.ts";
import type { PostgresLedger } from "./ledger/postgres-ledger.ts";
import { forgetOldCalls, freePlaces } from "./limits.ts";
import { beat, type DeadNode, deadNodes, heartbeatMs } from "./nodes.ts";
import { forgetParked } from "./parked-calls.ts";
import { loseSessions } from "./sessions/session-changes.ts";

const minuteMs = 60_000;

export class Maintenance {
  readonly #context: PostgresContext;
  readonly #ledger: PostgresLedger;
  /** The ledger's last row at a moment when nothing of this process was on its way. */
  #safeSeq: number;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #running = new Set<Promise<void>>();

  constructor(context: PostgresContext, ledger: PostgresLedger, headSeq: number) {
    this.#context = context;
    this.#ledger = ledger;
    this.#safeSeq = headSeq;
  }

  async start(): Promise<void> {
    await this.#beat();
    await this.buryDead();
    await this.#tidy();
    this.#every(heartbeatMs, () => this.#beat());
    this.#every(heartbeatMs, () => this.buryDead());
    this.#every(minuteMs, () => this.#ledger.checkpoint());
    this.#every(minuteMs, () => this.#tidy());
  }

  /** One of a kind at a time; what fails is done the next time. */
  #every(ms: number, work: () => Promise<void>): void {
    let running: Promise<void> | undefined;
    const once = () => {
      if (running !== undefined) return;
      running = work()
        .catch(() => {})
        .finally(() => {
          running = undefined;
          this.#running.delete(now);
        });
      const now = running;
      this.#running.add(now);
    };
    this.#timers.push(setInterval(once, ms).unref());
  }

  /** The process leaves: what it held is released now, not when others notice. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#running);
    const { nodeId, db } = this.#context;
    const own: DeadNode = { id: nodeId, openFromSeq: this.#ledger.openFromSeq(this.#safeSeq) };
    const why = "The store was closed before the end of this call was recorded.";
    await db.transaction((tx) => this.#release(tx, [own], why), "spool");
    this.#ringAll();
    await this.#ledger.checkpoint();
  }

  /** What they held is released in one transaction, by one of those who see it. */
  async buryDead(): Promise<void> {
    const { db, nodeId } = this.#context;
    if ((await deadNodes(db, nodeId)).length === 0) return;
    const why = "The process that ran this call died; what the call did is unknown.";
    const count = await db.transaction(async (tx) => {
      const dead = await deadNodes(tx, nodeId, true);
      if (dead.length > 0) await this.#release(tx, dead, why);
      return dead.length;
      // Not while somebody takes in ends that the dead have left in files.
    }, "spool");
    if (count > 0) this.#ringAll();
  }

  async #release(
    tx: Parameters<Parameters<PostgresContext["db"]["transaction"]>[0]>[0],
    nodes: readonly DeadNode[],
    why: string,
  ): Promise<void> {
    const ids = nodes.map(({ id }) => id);
    const now = this.#context.clock.now();
    await withdrawOwned(tx, ids, now);
    await freePlaces(tx, ids);
    await loseSessions(tx, ids, now);
    const rows = await unknownRows(tx, nodes, { makeRow: this.#ledger.makeRow, now, why });
    await tx.run("DELETE FROM toolgate.nodes WHERE id = ANY($1)", [ids]);
    // Last: from here to the commit nobody else can write to the ledger.
    if (rows.length > 0) await this.#ledger.append(tx, rows);
  }

  #ringAll(): void {
    for (const bell of ["ledger", "approvals", "sessions"] as const) this.#context.bells.ring(bell);
  }

  async #beat(): Promise<void> {
    const { writer } = this.#ledger;
    const before = writer.added;
    const isQuiet = writer.pending === 0;
    try {
      const { headSeq } = await beat(this.#context, this.#ledger.openFromSeq(this.#safeSeq));
      if (isQuiet && writer.added === before) this.#safeSeq = headSeq;
      writer.refuse(undefined);
    } catch (error) {
      // The tables have become newer than this process.
      if (error instanceof StoreError && error.problem === "newer") writer.refuse(error);
    }
  }

  async #tidy(): Promise<void> {
    const { db, clock } = this.#context;
    const now = clock.now();
    await forgetOldCalls(db, now);
    await forgetExpired(db, now);
    await forgetEnded(db, now);
    await forgetOldFacts(db, now);
    await forgetParked(db, now);
    await forgetEndedClients(db, now);
    await this.#ledger.takeSpool();
    await this.#ledger.checkpoints.copy();
  }
}

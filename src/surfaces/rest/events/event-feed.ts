/** The gate's events and the approvals of all processes in one log, without content or secrets. */
import { randomBytes } from "node:crypto";
import type { Clock } from "../../../core/ports/ports.ts";
import type { Gate } from "../../../gate/gate.ts";
import type { Store } from "../../../open/open-store.ts";
import { EventLog, type EventLogOptions } from "./event-log.ts";
import { watchApprovals } from "./watch-approvals.ts";
import { watchCallsOf, watchGate } from "./watch-gate.ts";
import { watchLedger } from "./watch-ledger.ts";

export interface EventFeed {
  readonly log: EventLog;
  readonly limits: FeedLimits;
  /** How many clients read the events now. */
  readonly clients: number;
  /** How many of them see every question, and may answer it. */
  readonly answerers: number;
  /** Tells of the calls of another gate of this process, too. Returns how to stop. */
  watch(gate: Gate): () => void;
  /** Counts a client for as long as this takes. */
  serve(client: () => Promise<void>, canAnswer: boolean): Promise<void>;
  close(): void;
}

export interface FeedLimits {
  /** Of all callers together. */
  readonly maxClients: number;
  readonly heartbeatMs: number;
}

export interface EventFeedOptions extends Partial<FeedLimits>, Omit<EventLogOptions, "process"> {
  readonly gate: Gate;
  readonly store: Pick<Store, "approvals" | "ledger">;
  readonly clock: Clock;
}

const comeBackMs = 60_000;
/** Gates of other folders come and go. */
const mostGates = 1_000;

export function createEventFeed(options: EventFeedOptions): EventFeed {
  const { gate, store, clock, maxClients = 100, heartbeatMs = 15_000, ...bounds } = options;
  const log = new EventLog({ ...bounds, process: randomBytes(6).toString("hex") });
  let clients = 0;
  let answerers = 0;
  let leftAt = Number.NEGATIVE_INFINITY;
  let ownCalls: string | undefined;
  /** How ids of calls begin whose gates are watched besides. */
  const toldOf = new Set<string>();
  /** Whoever left a moment ago comes back, and wants to have missed nothing. */
  const isHeard = () => clients > 0 || clock.monotonic() - leftAt < comeBackMs;
  const stops = [
    watchGate(gate, log, clock),
    watchApprovals(store.approvals, log),
    gate.events.on("call-start", ({ callId }) => {
      ownCalls ??= beginningOf(callId);
    }),
    watchLedger({
      ledger: store.ledger,
      log,
      isHeard,
      ownCalls: () => ownCalls,
      isTold: (callId) => toldOf.has(beginningOf(callId)),
    }),
  ];
  return {
    log,
    limits: { maxClients, heartbeatMs },
    get clients() {
      return clients;
    },
    get answerers() {
      return answerers;
    },
    watch(other) {
      const hear = other.events.on("call-start", ({ callId }) => {
        toldOf.add(beginningOf(callId));
        const [oldest] = toldOf;
        if (toldOf.size > mostGates && oldest !== undefined) toldOf.delete(oldest);
      });
      const stop = watchCallsOf(other, log, clock);
      return () => {
        hear();
        stop();
      };
    },
    async serve(client, canAnswer) {
      clients++;
      if (canAnswer) answerers++;
      log.keep();
      try {
        await client();
      } finally {
        clients--;
        leftAt = clock.monotonic();
        if (canAnswer) answerers--;
      }
    },
    close() {
      for (const stop of stops) stop();
    },
  };
}

/** Every gate has a beginning of its own for the ids of its calls. */
function beginningOf(callId: string): string {
  return callId.slice(0, callId.lastIndexOf("_") + 1);
}

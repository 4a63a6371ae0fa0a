/**
 * Writes to the event log how calls ended that this gate did not run: those of agents, which hooks judge, and those
 * of other processes. Looked for in the ledger, and only while somebody listens.
 */
import { defined } from "../../../core/input/defined.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import type { LedgerEntry } from "../../../core/ports/ledger-reader.ts";
import type { Store } from "../../../open/open-store.ts";
import type { EventLog } from "./event-log.ts";
import { ruleJson, shownText } from "./shown.ts";

export interface LedgerWatch {
  readonly ledger: Pick<Store["ledger"], "query" | "takeSpool">;
  readonly log: EventLog;
  /** Somebody listens, or may come back. */
  readonly isHeard: () => boolean;
  /** How ids of the gate's own calls begin, whose ends are told already. Undefined: it made none so far. */
  readonly ownCalls: () => string | undefined;
  /** Of another gate of this process, which tells of its calls itself. */
  readonly isTold: (callId: string) => boolean;
}

const everyMs = 500;
const pageSize = 500;
/** What comes faster than this is not shown one by one anyway. */
const mostPages = 4;

/** Returns how to stop. */
export function watchLedger({ ledger, log, isHeard, ownCalls, isTold }: LedgerWatch): () => void {
  let after: number | undefined;
  let isLooking = false;
  const look = async () => {
    await ledger.takeSpool();
    if (after === undefined) {
      const { entries } = await ledger.query({}, { limit: 1 });
      after = entries[0]?.seq ?? 0;
      return;
    }
    for (let page = 0; page < mostPages; page++) {
      const notCalls = ownCalls();
      const filter = { kinds: ["completion"] as const, ...(notCalls !== undefined && { notCalls }) };
      const found = await ledger.query(filter, { order: "oldest", after, limit: pageSize });
      for (const entry of found.entries)
        if (!isTold(entry.callId ?? "")) log.append("call-end", endJson(entry), sessionOf(entry));
      after = found.next ?? Math.max(after, found.entries.at(-1)?.seq ?? 0);
      if (found.next === undefined) return;
    }
    // Too far behind: what happens now is more use than what happened.
    after = undefined;
  };
  const timer = setInterval(() => {
    if (!isHeard()) after = undefined;
    if (isLooking || !isHeard()) return;
    isLooking = true;
    // A store that fails is reported where it is used.
    void look()
      .catch(() => {})
      .finally(() => {
        isLooking = false;
      });
  }, everyMs).unref();
  return () => clearInterval(timer);
}

function sessionOf({ body: { sessionId } }: LedgerEntry): string | undefined {
  return typeof sessionId === "string" ? sessionId : undefined;
}

function endJson({ callId, tool, body }: LedgerEntry): JsonObject {
  const { ok, durationMs, caller, sessionId, code, stage, message, rule, verdict, surface, agent } = body;
  return {
    ...defined({ callId, tool, ok, durationMs, caller, sessionId, verdict, surface, agent, code, stage }),
    ...(typeof message === "string" && { message: shownText(message) }),
    ...ruleJson(rule as never),
  } as JsonObject;
}

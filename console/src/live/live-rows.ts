/** Calls as they happen, kept outside of React: a ring of the last 5,000, told of a few times a second. */
import type { EventData } from "toolgate/contract";
import type { SentEvent } from "../api/read-events.ts";

export interface LiveRow {
  readonly callId: string;
  readonly at: number;
  readonly tool: string;
  readonly caller: string | undefined;
  readonly sessionId: string | undefined;
  /** As `Verdict` shows it. */
  readonly verdict: string;
  readonly durationMs: number | undefined;
  readonly about: string | undefined;
}

export interface LiveSnapshot {
  /** Newest first. */
  readonly rows: readonly LiveRow[];
  /** How many came in all. */
  readonly seen: number;
  /** Of the last whole seconds. */
  readonly perSecond: number;
  readonly refusedPerSecond: number;
  /** Calls that ended since this was opened or cleared, and how many of them were refused or failed. */
  readonly calls: number;
  readonly refused: number;
  /** Calls that the server left out of the stream. */
  readonly leftOut: number;
  readonly p95Ms: number | undefined;
  /** When calls were missed because the page was away for too long. */
  readonly missedAt: number | undefined;
}

const maxRows = 5_000;
const overMs = 5_000;
const slotMs = 250;
/** Nobody reads more pictures a second than this allows. */
const everyMs = 125;

export interface LiveRows {
  take(events: readonly SentEvent[]): void;
  snapshot(): LiveSnapshot;
  subscribe(hear: () => void): () => void;
  clear(): void;
}

export function createLiveRows(
  now: () => number = Date.now,
  fits: (row: LiveRow) => boolean = () => true,
): LiveRows {
  let rows: LiveRow[] = [];
  let [seen, calls, refused, leftOut] = [0, 0, 0, 0];
  let ends: { readonly at: number; many: number; refused: number }[] = [];
  let times: number[] = [];
  let shown: LiveSnapshot = {
    rows: [],
    seen: 0,
    calls: 0,
    refused: 0,
    perSecond: 0,
    refusedPerSecond: 0,
    leftOut: 0,
    p95Ms: undefined,
    missedAt: undefined,
  };
  let missedAt: number | undefined;
  let isAsked = false;
  let publishedAt = Number.NEGATIVE_INFINITY;
  const hears = new Set<() => void>();
  const running = new Map<string, LiveRow>();

  const publish = () => {
    isAsked = false;
    publishedAt = performance.now();
    const since = now() - overMs;
    ends = ends.filter(({ at }) => at >= since);
    const total = (of: "many" | "refused") => ends.reduce((sum, end) => sum + end[of], 0) / (overMs / 1_000);
    const sorted = [...times].sort((a, b) => a - b);
    shown = {
      rows: rows.toReversed(),
      seen,
      calls,
      refused,
      leftOut,
      perSecond: total("many"),
      refusedPerSecond: total("refused"),
      p95Ms: sorted[Math.floor(sorted.length * 0.95)],
      missedAt,
    };
    for (const hear of hears) hear();
  };
  const ask = () => {
    if (isAsked) return;
    isAsked = true;
    const waitMs = publishedAt + everyMs - performance.now();
    if (waitMs <= 0) requestAnimationFrame(publish);
    else setTimeout(() => requestAnimationFrame(publish), waitMs);
  };
  const add = (row: LiveRow) => {
    if (!fits(row)) return;
    seen += 1;
    rows.push(row);
    // Cut rarely: every push of a full ring would move all of it.
    if (rows.length > maxRows * 1.2) rows = rows.slice(-maxRows);
  };
  const count = (at: number, many: number, notOk: number) => {
    calls += many;
    refused += notOk;
    const last = ends.at(-1);
    if (last !== undefined && at - last.at < slotMs) {
      last.many += many;
      last.refused += notOk;
      return;
    }
    ends.push({ at, many, refused: notOk });
    // A tab that nobody sees draws nothing, and counts all the same.
    if (ends.length > (overMs / slotMs) * 2) ends = ends.slice(-overMs / slotMs);
  };
  return {
    take(events) {
      const at = now();
      for (const { kind, data } of events) {
        if (kind === "call-start") {
          const { callId, tool, caller, sessionId } = data as EventData["call-start"];
          running.set(callId, {
            callId,
            at,
            tool,
            caller,
            sessionId,
            verdict: "running",
            durationMs: undefined,
            about: undefined,
          });
          if (running.size > maxRows) running.delete(running.keys().next().value ?? "");
        } else if (kind === "call-end") {
          const end = data as EventData["call-end"];
          add(ended(end, running.get(end.callId), at));
          running.delete(end.callId);
          count(at, 1, end.ok ? 0 : 1);
          times.push(end.durationMs);
          if (times.length > 1_000) times = times.slice(-500);
        } else if (kind === "approval-request") {
          const { callId, tool, caller, sessionId, reason } = data as EventData["approval-request"];
          add({ callId, at, tool, caller, sessionId, verdict: "ask", durationMs: undefined, about: reason });
        } else if (kind === "summary") {
          const { left, ok } = data as EventData["summary"];
          leftOut += left;
          count(at, left, left - ok);
        } else if (kind === "reset") {
          missedAt = at;
        }
      }
      ask();
    },
    snapshot: () => shown,
    subscribe(hear) {
      hears.add(hear);
      return () => hears.delete(hear);
    },
    clear() {
      rows = [];
      [seen, calls, refused, leftOut] = [0, 0, 0, 0];
      missedAt = undefined;
      ask();
    },
  };
}

function ended(end: EventData["call-end"], start: LiveRow | undefined, at: number): LiveRow {
  const { callId, tool, ok, durationMs, sessionId, stage, message, rule, caller } = end;
  return {
    callId,
    at,
    tool,
    caller: caller ?? start?.caller,
    sessionId,
    verdict: ok
      ? "allow"
      : stage === "run" || stage === "after-hooks" || stage === "ledger"
        ? "failed"
        : "deny",
    durationMs,
    about: rule?.name ?? (ok ? undefined : message),
  };
}

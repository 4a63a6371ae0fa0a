/** Writes events of the gate to the log: who, what and how it ended; no input and no result. */

import type { Progress } from "../../../core/call/call.ts";
import type { Outcome } from "../../../core/call/outcome.ts";
import { defined } from "../../../core/input/defined.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import type { Clock } from "../../../core/ports/ports.ts";
import type { Gate } from "../../../gate/gate.ts";
import type { EventLog } from "./event-log.ts";
import { ruleJson, shownText } from "./shown.ts";

/** A tool that reports progress a thousand times a second must not push everything else out of the log. */
const progressEveryMs = 100;

/** Returns how to stop. */
export function watchGate(gate: Gate, log: EventLog, clock: Clock): () => void {
  const { events } = gate;
  const stops = [
    watchCallsOf(gate, log, clock),
    events.on("tools-change", ({ count }) => log.append("tools-change", { count })),
    events.on("rules-change", ({ version }) => log.append("rules-change", { version })),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Only its calls: of a gate for another folder, whose tools and rules are not those that clients ask for. */
export function watchCallsOf({ events, tools }: Gate, log: EventLog, clock: Clock): () => void {
  /** The names of our own tools are shown as they are; what a caller asked for may be anything. */
  const named = (tool: string) => (tools.has(tool) ? tool : shownText(tool));
  const lastProgress = new Map<string, number>();
  /** Of the calls that run: the gate names the caller only at the beginning. */
  const running = new Map<string, { readonly caller: string; readonly sessionId: string | undefined }>();
  const stops = [
    events.on("call-start", ({ callId, tool, sessionId, caller }) => {
      running.set(callId, { caller, sessionId });
      log.append("call-start", defined({ callId, tool: named(tool), caller, sessionId }), sessionId);
    }),
    events.on("call-progress", ({ callId, tool, progress }) => {
      const now = clock.monotonic();
      if (now - (lastProgress.get(callId) ?? Number.NEGATIVE_INFINITY) < progressEveryMs) return;
      lastProgress.set(callId, now);
      const whose = defined({ ...running.get(callId) });
      log.append("call-progress", { callId, tool, ...whose, ...progressJson(progress) }, whose.sessionId);
    }),
    events.on("call-end", ({ outcome, sessionId }) => {
      const { callId } = outcome;
      lastProgress.delete(callId);
      const caller = running.get(callId)?.caller;
      running.delete(callId);
      log.append("call-end", endJson(outcome, named(outcome.tool), { sessionId, caller }), sessionId);
    }),
    events.on("task-cancel", ({ sessionId, hook, message }) =>
      log.append("task-cancel", defined({ hook, message: shownText(message), sessionId }), sessionId),
    ),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

export function progressJson({ message, done, total }: Progress): JsonObject {
  return defined({ message: message && shownText(message), done, total });
}

interface Whose {
  readonly sessionId: string | undefined;
  readonly caller: string | undefined;
}

function endJson(outcome: Outcome, tool: string, { sessionId, caller }: Whose): JsonObject {
  const { callId, ok, durationMs } = outcome;
  // As the record has it: what ran and failed was allowed.
  const hasRun = outcome.ok || ran.has(outcome.error.stage);
  const verdict = hasRun ? "allow" : "deny";
  return {
    ...defined({ callId, tool, ok, durationMs, caller, sessionId, verdict }),
    ...(!outcome.ok && {
      code: outcome.error.code,
      stage: outcome.error.stage,
      message: shownText(outcome.error.message),
      ...ruleJson(outcome.error.rule),
    }),
  };
}

const ran: ReadonlySet<string> = new Set(["run", "after-hooks", "ledger"]);

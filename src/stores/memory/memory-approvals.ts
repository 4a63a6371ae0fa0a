/** The approval desk in memory: what waits for a person, answered once, used once. */
import type {
  AnswerResult,
  ApprovalAnswer,
  ApprovalDesk,
  ApprovalEnd,
  ApprovalRequest,
} from "../../core/call/approval.ts";
import type { Clock } from "../../core/ports/ports.ts";
import {
  badAnswer,
  type EndedBefore,
  explainBadAnswer,
  sameBinding,
  selfApproval,
  tooLate,
  unknownApproval,
} from "../port/approval-answer.ts";
import { quotaOfOne } from "../port/approval-quota.ts";

interface Entry {
  readonly request: ApprovalRequest;
  readonly ended: Promise<ApprovalEnd>;
  readonly end: (end: ApprovalEnd) => void;
  readonly stopTimer: () => void;
  /** What the answer is bound to; an edited input binds by its own hash. */
  approvedInputHash?: string;
  state: "pending" | "approved";
  /** Somebody hears how it ends. */
  isAwaited: boolean;
}

/** How many of those that have ended are remembered, to tell whoever answers too late. */
const maxEnded = 1_000;

export interface MemoryApprovalsOptions {
  readonly clock: Clock;
  /** Hash of an input as the gate computes it, to bind an edited one. */
  readonly hashInput: (input: unknown) => string | undefined;
  /** A denial also rejects what else waits in the same session. */
  readonly rejectOthers?: boolean;
  readonly maxPending?: number;
}

export function createMemoryApprovals(options: MemoryApprovalsOptions): ApprovalDesk {
  const { clock, hashInput, rejectOthers = true, maxPending = 100 } = options;
  const entries = new Map<string, Entry>();
  const ended = new Map<string, EndedBefore>();
  /** Of questions that ended between being opened and being waited for. */
  const unheard = new Map<string, ApprovalEnd>();
  let closed = false;

  function settle(entry: Entry, end: ApprovalEnd): void {
    const { id } = entry.request;
    entry.stopTimer();
    if (end.state === "approved") entry.state = "approved";
    else entries.delete(id);
    ended.set(id, "answer" in end ? answered(end.answer) : { state: end.state });
    for (const oldest of ended.keys()) {
      if (ended.size <= maxEnded) break;
      ended.delete(oldest);
    }
    if (!entry.isAwaited) unheard.set(id, end);
    entry.end(end);
  }

  function rejectSession(denied: Entry, answer: ApprovalAnswer): void {
    const { sessionId, caller } = denied.request;
    if (sessionId === undefined) return;
    for (const other of [...entries.values()]) {
      if (
        other.state !== "pending" ||
        other.request.sessionId !== sessionId ||
        other.request.caller !== caller
      )
        continue;
      settle(other, { state: "denied", answer, becauseOf: denied.request.id });
    }
  }

  return {
    rejectsOthers: rejectOthers,
    open(request) {
      if (closed || entries.size >= maxPending) return false;
      const ofCaller = [...entries.values()].filter((other) => other.request.caller === request.caller);
      if (ofCaller.length >= quotaOfOne(maxPending)) return false;
      const { promise, resolve } = Promise.withResolvers<ApprovalEnd>();
      // This timer alone ends the wait, whatever the date is: until then the call can be answered.
      const stopTimer = clock.after(request.expiresAt - clock.now(), () => {
        const entry = entries.get(request.id);
        if (entry?.state === "pending") settle(entry, { state: "expired" });
      });
      const entry = { request, ended: promise, end: resolve, stopTimer };
      entries.set(request.id, { ...entry, state: "pending", isAwaited: false });
      return true;
    },

    async wait(id) {
      const entry = entries.get(id);
      const before = unheard.get(id);
      unheard.delete(id);
      if (entry === undefined) return before ?? { state: "expired" };
      entry.isAwaited = true;
      return entry.ended;
    },

    answer(id, answer): AnswerResult {
      const bad = explainBadAnswer(answer);
      if (bad !== undefined) return badAnswer(bad);
      const entry = entries.get(id);
      if (entry?.state !== "pending" || !entries.has(id)) {
        const before = ended.get(id);
        return before === undefined ? unknownApproval(id) : tooLate(id, before);
      }
      if (answer.by === entry.request.caller) return selfApproval(answer.by);
      if (answer.decision === "deny") {
        settle(entry, { state: "denied", answer });
        if (rejectOthers) rejectSession(entry, answer);
        return { ok: true };
      }
      const inputHash = answer.input === undefined ? entry.request.inputHash : hashInput(answer.input);
      if (inputHash === undefined) return badAnswer("The edited input is not plain JSON.");
      entry.approvedInputHash = inputHash;
      settle(entry, { state: "approved", answer });
      return { ok: true };
    },

    claim(id, binding) {
      const entry = entries.get(id);
      if (entry?.state !== "approved") return false;
      entries.delete(id);
      return sameBinding(entry.request, entry.approvedInputHash, binding);
    },

    // Nothing of it is kept once it is claimed.
    done() {},

    withdraw(id) {
      const entry = entries.get(id);
      if (entry === undefined) return;
      entries.delete(id);
      if (entry.state === "pending") settle(entry, { state: "withdrawn" });
    },

    pending: () =>
      [...entries.values()].filter(({ state }) => state === "pending").map(({ request }) => request),

    close() {
      closed = true;
      for (const entry of [...entries.values()])
        if (entry.state === "pending") settle(entry, { state: "withdrawn" });
      entries.clear();
    },
  };
}

function answered({ by, decision }: ApprovalAnswer): EndedBefore {
  return { state: "answered", by, decision };
}

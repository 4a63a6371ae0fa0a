/** The approval desk in memory: what waits for a person, answered once, used once. */
import type {
  AnswerResult,
  ApprovalAnswer,
  ApprovalBinding,
  ApprovalDesk,
  ApprovalEnd,
  ApprovalRequest,
} from "../core/approval.ts";
import { grantScopes } from "../core/approval.ts";
import type { Clock } from "../core/ports.ts";
import { unknownKeys } from "../core/unknown-keys.ts";

interface Entry {
  readonly request: ApprovalRequest;
  readonly ended: Promise<ApprovalEnd>;
  readonly end: (end: ApprovalEnd) => void;
  readonly stopTimer: () => void;
  /** What the answer is bound to; an edited input binds by its own hash. */
  approvedInputHash?: string;
  state: "pending" | "approved" | "ended";
}

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
  let closed = false;

  function settle(entry: Entry, end: ApprovalEnd): void {
    entry.stopTimer();
    entry.state = end.state === "approved" ? "approved" : "ended";
    if (entry.state === "ended") entries.delete(entry.request.id);
    entry.end(end);
  }

  function rejectSession(denied: Entry, answer: ApprovalAnswer): void {
    const { sessionId, principal } = denied.request;
    if (sessionId === undefined) return;
    for (const other of [...entries.values()]) {
      if (
        other.state !== "pending" ||
        other.request.sessionId !== sessionId ||
        other.request.principal !== principal
      )
        continue;
      settle(other, { state: "denied", answer, becauseOf: denied.request.id });
    }
  }

  return {
    open(request) {
      if (closed || entries.size >= maxPending) return false;
      const { promise, resolve } = Promise.withResolvers<ApprovalEnd>();
      const stopTimer = clock.after(request.expiresAt - clock.now(), () => {
        const entry = entries.get(request.id);
        if (entry?.state === "pending") settle(entry, { state: "expired" });
      });
      entries.set(request.id, { request, ended: promise, end: resolve, stopTimer, state: "pending" });
      return true;
    },

    async wait(id) {
      return (await entries.get(id)?.ended) ?? { state: "expired" };
    },

    answer(id, answer): AnswerResult {
      const entry = entries.get(id);
      if (entry === undefined) {
        return {
          ok: false,
          code: "unknown",
          message: `No approval ${id} is waiting; it may have been answered or expired.`,
        };
      }
      if (entry.state !== "pending")
        return { ok: false, code: "already_answered", message: `Approval ${id} was answered already.` };
      const bad = explainBadAnswer(answer);
      if (bad !== undefined) return { ok: false, code: "bad_answer", message: bad };
      if (answer.by === entry.request.principal) {
        return {
          ok: false,
          code: "self_approval",
          message: `"${answer.by}" asked for this call and cannot answer it.`,
        };
      }
      if (answer.decision === "deny") {
        settle(entry, { state: "denied", answer });
        if (rejectOthers) rejectSession(entry, answer);
        return { ok: true };
      }
      const inputHash = answer.input === undefined ? entry.request.inputHash : hashInput(answer.input);
      if (inputHash === undefined)
        return { ok: false, code: "bad_answer", message: "The edited input is not plain JSON." };
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

function sameBinding(
  request: ApprovalRequest,
  inputHash: string | undefined,
  binding: ApprovalBinding,
): boolean {
  return (
    request.principal === binding.principal &&
    request.toolId === binding.toolId &&
    request.definitionHash === binding.definitionHash &&
    inputHash === binding.inputHash
  );
}

const answerKeys = ["decision", "by", "scope", "covers", "expiresInMs", "input", "reason"];

function explainBadAnswer(answer: ApprovalAnswer): string | undefined {
  if (typeof answer !== "object" || answer === null) return "An answer is an object with decision and by.";
  const [unknown] = unknownKeys(answer, answerKeys);
  if (unknown !== undefined) return `An answer has no "${unknown.key}"; ${unknown.instead}`;
  if (typeof answer.by !== "string" || answer.by === "") return "An answer must say who gives it (by).";
  if (answer.decision !== "approve" && answer.decision !== "deny")
    return `decision must be "approve" or "deny".`;
  if (answer.scope !== undefined && !grantScopes.includes(answer.scope))
    return `scope must be one of ${grantScopes.join(", ")}.`;
  if (answer.covers !== undefined && answer.covers !== "input" && answer.covers !== "tool")
    return `covers must be "input" or "tool".`;
  if (answer.expiresInMs !== undefined && !(Number.isFinite(answer.expiresInMs) && answer.expiresInMs > 0))
    return "expiresInMs must be above 0.";
  return undefined;
}

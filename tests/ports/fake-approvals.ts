/** Approvals of the fake store: a table of records, and a timer for each that waits. */
import type { AnswerResult, ApprovalEnd, ApprovalRequest } from "../../src/core/call/approval.ts";
import type { ApprovalRecord, ApprovalState, ApprovalStore } from "../../src/core/ports/approval-store.ts";
import type { Clock } from "../../src/core/ports/ports.ts";
import { createSystemClock } from "../../src/gate/system.ts";
import { redact } from "../../src/safe/redact/redact.ts";
import {
  badAnswer,
  explainBadAnswer,
  sameBinding,
  selfApproval,
  tooLate,
  unknownApproval,
} from "../../src/stores/port/approval-answer.ts";
import { quotaOfOne } from "../../src/stores/port/approval-quota.ts";
import { hashInput as hashAsGate } from "../../src/stores/port/hash-input.ts";

interface Row {
  readonly request: ApprovalRequest;
  readonly end: PromiseWithResolvers<ApprovalEnd>;
  readonly stopTimer: () => void;
  state: ApprovalState;
  answer?: ApprovalRecord["answer"];
  answeredAt?: number;
  becauseOf?: string;
  approvedHash?: string;
}

export interface FakeApprovalsOptions {
  readonly clock?: Clock;
  readonly hashInput?: (input: unknown) => string | undefined;
  readonly rejectOthers?: boolean;
  readonly maxPending?: number;
}

export function createFakeApprovals(options: FakeApprovalsOptions = {}): ApprovalStore {
  const {
    clock = createSystemClock(),
    hashInput = hashAsGate,
    rejectOthers = true,
    maxPending = 100,
  } = options;
  const rows = new Map<string, Row>();
  const listeners = new Set<() => void>();
  const pending = () => [...rows.values()].filter(({ state }) => state === "pending");

  function end(row: Row, ended: ApprovalEnd): void {
    row.stopTimer();
    row.state = ended.state;
    if ("answer" in ended) {
      row.answer = ended.answer;
      row.answeredAt = clock.now();
    }
    if ("becauseOf" in ended && ended.becauseOf !== undefined) row.becauseOf = ended.becauseOf;
    row.end.resolve(ended);
    for (const listener of listeners) listener();
  }

  function toRecord({ request, state, answer, answeredAt, becauseOf }: Row): ApprovalRecord {
    const { value, count } = redact(request.input);
    const shown = { ...request, input: value as ApprovalRequest["input"] };
    return { request: shown, redactions: count, state, answer, answeredAt, becauseOf, asker: undefined };
  }

  function explainLost(id: string, row: Row | undefined): AnswerResult {
    if (row === undefined) return unknownApproval(id);
    const { state, answer } = row;
    return answer === undefined
      ? tooLate(id, { state: state === "withdrawn" ? "withdrawn" : "expired" })
      : tooLate(id, { state: "answered", by: answer.by, decision: answer.decision });
  }

  return {
    async open(request) {
      const waiting = pending();
      const own = waiting.filter((row) => row.request.caller === request.caller);
      if (waiting.length >= maxPending || own.length >= quotaOfOne(maxPending)) return false;
      const stopTimer = clock.after(request.expiresAt - clock.now(), () => {
        const row = rows.get(request.id);
        if (row?.state === "pending") end(row, { state: "expired" });
      });
      const waits = Promise.withResolvers<ApprovalEnd>();
      rows.set(request.id, { request, end: waits, stopTimer, state: "pending" });
      for (const listener of listeners) listener();
      return true;
    },
    wait: async (id) => rows.get(id)?.end.promise ?? { state: "expired" },
    async answer(id, answer) {
      const bad = explainBadAnswer(answer);
      if (bad !== undefined) return badAnswer(bad);
      const row = rows.get(id);
      if (row?.state !== "pending") return explainLost(id, row);
      const { caller, sessionId, inputHash } = row.request;
      if (answer.by === caller) return selfApproval(answer.by);
      if (answer.decision === "approve") {
        const hash = answer.input === undefined ? inputHash : hashInput(answer.input);
        if (hash === undefined) return badAnswer("The edited input is not plain JSON.");
        row.approvedHash = hash;
        end(row, { state: "approved", answer });
        return { ok: true };
      }
      end(row, { state: "denied", answer });
      const others = rejectOthers && sessionId !== undefined ? pending() : [];
      for (const other of others)
        if (other.request.sessionId === sessionId && other.request.caller === caller)
          end(other, { state: "denied", answer, becauseOf: id });
      return { ok: true };
    },
    async claim(id, binding) {
      const row = rows.get(id);
      if (row?.state !== "approved") return false;
      const isSame = sameBinding(row.request, row.approvedHash, binding);
      row.state = isSame ? "claimed" : "withdrawn";
      return isSame;
    },
    async done(id) {
      const row = rows.get(id);
      if (row?.state === "claimed") row.state = "done";
    },
    async withdraw(id) {
      const row = rows.get(id);
      if (row?.state === "pending") end(row, { state: "withdrawn" });
      else if (row?.state === "approved") row.state = "withdrawn";
    },
    pending: async () => pending().map(({ request }) => request),
    waiting: async () => pending().map(toRecord),
    records: async (ids) => ids.flatMap((id) => rows.get(id) ?? []).map(toRecord),
    past: async ({ tool, limit = 100 }) =>
      [...rows.values()]
        .filter(({ request, state }) => request.toolId === tool && state !== "pending")
        .reverse()
        .slice(0, limit)
        .map(toRecord),
    async tally(since) {
      const asked = [...rows.values()].filter(({ request }) => request.createdAt >= since);
      const count = (holds: (row: Row) => boolean) => asked.filter(holds).length;
      const took = asked
        .flatMap(({ answeredAt, request }) =>
          answeredAt === undefined ? [] : [answeredAt - request.createdAt],
        )
        .sort((one, other) => one - other);
      const at = (share: number) => took[Math.max(0, Math.ceil(took.length * share) - 1)];
      const unanswered = (state: string) => count((row) => row.answer === undefined && row.state === state);
      return {
        asked: asked.length,
        open: unanswered("pending"),
        approved: count(({ answer }) => answer?.decision === "approve"),
        denied: count(({ answer }) => answer?.decision === "deny"),
        expired: unanswered("expired"),
        withdrawn: unanswered("withdrawn"),
        medianMs: at(0.5),
        p95Ms: at(0.95),
      };
    },
    find: async (prefix) =>
      [...rows.values()]
        .filter(({ request }) => request.id.startsWith(prefix))
        .reverse()
        .slice(0, 10)
        .map(toRecord),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      for (const row of pending()) end(row, { state: "withdrawn" });
    },
  };
}

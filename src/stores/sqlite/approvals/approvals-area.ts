/** Approvals in the database. Each UPDATE names the state it starts from: of two that race, one wins. */
import type { AnswerResult, ApprovalBinding } from "../../../core/call/approval.ts";
import { createRedactor, type Redactor } from "../../../safe/redact/redact.ts";
import { quotaOfOne } from "../../port/approval-quota.ts";
import { explainLate, keptAnswer, text, toRow } from "../../port/approval-rows.ts";
import type { Answering, Opening } from "../../port/shared-approvals.ts";
import { defineArea, type StoreContext } from "../area.ts";
import { livingProcesses } from "../processes/processes-area.ts";
import { ends, find, past, pending, seal, tally } from "./approval-reads.ts";

/** What has ended is shown for so long; the ledger keeps it for good. */
const keepEndedMs = 30 * 24 * 60 * 60_000;

export const approvalsBell = "approvals";

export const approvalsArea = defineArea({
  name: "approvals",
  writes: { open, answer, claim, done, withdraw, expire },
  reads: { pending, find, ends, seal, past, tally },
  onOpen(store, options) {
    const { secrets = [] } = (options.approvals ?? {}) as ApprovalsOptions;
    store.kept.set(redactorKey, createRedactor({ secrets }));
    sweep(store, store.now());
  },
  everySeconds: 60,
  onTick(store, closing) {
    if (!closing) sweep(store, store.now());
    else if (withdrawOwned(store, store.processId, store.now()) > 0) store.ring(approvalsBell);
  },
});

export interface ApprovalsOptions {
  /** Exact values that must never be stored, wherever they stand. */
  readonly secrets?: readonly string[];
}

const redactorKey = "approvals redactor";

function redactorOf(store: StoreContext): Redactor {
  return store.kept.get(redactorKey) as Redactor;
}

/** False: too many wait already. */
function open(store: StoreContext, opening: Opening): boolean {
  if (!isRoomFor(store, opening)) {
    sweep(store, opening.now);
    if (!isRoomFor(store, opening)) return false;
  }
  insert(store, opening);
  store.ring(approvalsBell);
  return true;
}

function isRoomFor(store: StoreContext, { request, maxPending }: Opening): boolean {
  const row = store.get(
    "SELECT count(*) AS waiting, sum(principal = ?) AS own FROM approvals WHERE state = 'pending'",
    request.caller,
  );
  return Number(row?.waiting) < maxPending && Number(row?.own) < quotaOfOne(maxPending);
}

function insert(store: StoreContext, opening: Opening): void {
  const row = toRow(opening, store.processId, redactorOf(store));
  store.insert("approvals", { ...row, reject_others: opening.rejectOthers ? 1 : 0 }, "number");
}

function answer(
  store: StoreContext,
  { id, answer: given, sealedInput, inputHash, now }: Answering,
): AnswerResult {
  const kept = keptAnswer(given, redactorOf(store));
  const state = given.decision === "approve" ? "approved" : "denied";
  withdrawIfDead(store, id, now);
  const won = store.get(
    `UPDATE approvals SET state = ?, answered_at = ?, answered_by = ?, answer = ?, sealed_input = ?,
       approved_input_hash = COALESCE(?, input_hash), ended_at = ?
     WHERE id = ? AND state = 'pending' AND principal <> ?
     RETURNING session_id, principal, reject_others`,
    state,
    now,
    given.by,
    kept,
    sealedInput ?? null,
    inputHash ?? null,
    state === "denied" ? now : null,
    id,
    given.by,
  );
  if (won === undefined) return explainLost(store, id, given.by);
  if (state === "denied" && won.reject_others === 1 && won.session_id !== null)
    store.run(
      `UPDATE approvals SET state = 'denied', answered_at = ?, answered_by = ?, answer = ?, because_of = ?, ended_at = ?
       WHERE state = 'pending' AND session_id = ? AND principal = ?`,
      now,
      given.by,
      kept,
      id,
      now,
      text(won.session_id),
      text(won.principal),
    );
  store.ring(approvalsBell);
  return { ok: true };
}

function explainLost(store: StoreContext, id: string, by: string): AnswerResult {
  return explainLate(id, by, store.get("SELECT * FROM approvals WHERE id = ?", id));
}

/** Only the process that asked can use the answer up, once. A binding that differs uses it up, too. */
function claim(
  store: StoreContext,
  { id, binding, now }: { readonly id: string; readonly binding: ApprovalBinding; readonly now: number },
): boolean {
  const row = store.get(
    `UPDATE approvals SET sealed_input = NULL, ended_at = ?, state = CASE
       WHEN principal = ? AND tool_id = ? AND definition_hash = ? AND approved_input_hash = ? AND meaning_hash = ? AND policy_version = COALESCE(?, policy_version)
       THEN 'claimed' ELSE 'withdrawn' END
     WHERE id = ? AND state = 'approved' AND process_id = ?
     RETURNING state`,
    now,
    binding.caller,
    binding.toolId,
    binding.definitionHash,
    binding.inputHash,
    binding.meaningHash,
    binding.policyVersion ?? null,
    id,
    store.processId,
  );
  return row?.state === "claimed";
}

function done(store: StoreContext, { id, now }: { readonly id: string; readonly now: number }): void {
  store.run("UPDATE approvals SET state = 'done', ended_at = ? WHERE id = ? AND state = 'claimed'", now, id);
}

function withdraw(store: StoreContext, { id, now }: { readonly id: string; readonly now: number }): void {
  const changed = store.run(
    `UPDATE approvals SET state = 'withdrawn', sealed_input = NULL, ended_at = ?
     WHERE id = ? AND state IN ('pending', 'approved')`,
    now,
    id,
  );
  if (changed > 0) store.ring(approvalsBell);
}

/** Only the process that asked says so, by its own timer: until then the call can be answered on any date. */
function expire(store: StoreContext, { id, now }: { readonly id: string; readonly now: number }): void {
  const changed = store.run(
    "UPDATE approvals SET state = 'expired', ended_at = ? WHERE id = ? AND state = 'pending' AND process_id = ?",
    now,
    id,
    store.processId,
  );
  if (changed > 0) store.ring(approvalsBell);
}

function withdrawIfDead(store: StoreContext, id: string, now: number): void {
  const row = store.get("SELECT process_id FROM approvals WHERE id = ? AND state = 'pending'", id);
  const owner = row === undefined ? store.processId : text(row.process_id);
  if (owner === store.processId || livingProcesses(store).includes(owner)) return;
  withdrawOwned(store, owner, now);
  store.ring(approvalsBell);
}

/** What dead processes asked is withdrawn, what they had begun is unknown, what is long over is forgotten. */
function sweep(store: StoreContext, now: number): void {
  const living = new Set(livingProcesses(store));
  const owners = store
    .all("SELECT DISTINCT process_id FROM approvals WHERE state IN ('pending', 'approved', 'claimed')")
    .map(({ process_id: owner }) => text(owner));
  let changed = 0;
  for (const owner of owners) if (!living.has(owner)) changed += withdrawOwned(store, owner, now);
  if (changed > 0) store.ring(approvalsBell);
  store.run("DELETE FROM approvals WHERE ended_at <= ? AND state <> 'claimed'", now - keepEndedMs);
}

function withdrawOwned(store: StoreContext, owner: string, now: number): number {
  return store.run(
    `UPDATE approvals SET state = CASE state WHEN 'claimed' THEN 'unknown' ELSE 'withdrawn' END, sealed_input = NULL, ended_at = ?
     WHERE process_id = ? AND state IN ('pending', 'approved', 'claimed')`,
    now,
    owner,
  );
}

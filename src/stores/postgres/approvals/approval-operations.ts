/** Approvals in the database. Each UPDATE names the state it starts from: of two that race, one wins. */
import type { AnswerResult } from "../../../core/call/approval.ts";
import { quotaOfOne } from "../../port/approval-quota.ts";
import { explainLate, keptAnswer, toRow } from "../../port/approval-rows.ts";
import type { Row } from "../../port/row.ts";
import type { Answering, ApprovalOperations, Opening } from "../../port/shared-approvals.ts";
import type { PostgresContext } from "../context.ts";
import type { Statements } from "../database.ts";
import { insert } from "../insert.ts";
import { createApprovalReads } from "./approval-reads.ts";

export function createApprovalOperations(context: PostgresContext): ApprovalOperations {
  const { db, bells, nodeId, redactor } = context;
  const changed = (count: number) => {
    if (count > 0) bells.ring("approvals");
  };

  const isRoomFor = async (tx: Statements, { request, maxPending }: Opening): Promise<boolean> => {
    const [row] = await tx.query(
      `SELECT count(*) AS waiting, count(*) FILTER (WHERE principal = $1) AS own FROM toolgate.approvals AS a
       WHERE state = 'pending' AND (process_id = $2 OR EXISTS (SELECT 1 FROM toolgate.nodes AS n
         WHERE n.id = a.process_id AND toolgate.is_living(n.seen)))`,
      [request.caller, nodeId],
    );
    return Number(row?.waiting) < maxPending && Number(row?.own) < quotaOfOne(maxPending);
  };

  /** Undefined: it does not wait any more, or not for this person. */
  const settle = async (tx: Statements, given: Answering): Promise<Row | undefined> => {
    const { id, answer, sealedInput, inputHash, now } = given;
    const isDenied = answer.decision === "deny";
    const [won] = await tx.query(
      `UPDATE toolgate.approvals AS a SET state = $1, answered_at = $2, answered_by = $3, answer = $4,
         sealed_input = $5, approved_input_hash = COALESCE($6, input_hash), ended_at = $7
       WHERE id = $8 AND state = 'pending' AND principal <> $3 AND (process_id = $9 OR EXISTS
         (SELECT 1 FROM toolgate.nodes AS n WHERE n.id = a.process_id AND toolgate.is_living(n.seen)))
       RETURNING session_id, principal, reject_others`,
      [
        isDenied ? "denied" : "approved",
        now,
        answer.by,
        keptAnswer(answer, redactor),
        sealedInput ?? null,
        inputHash ?? null,
        isDenied ? now : null,
        id,
        nodeId,
      ],
    );
    return won;
  };

  const decide = async (tx: Statements, given: Answering): Promise<AnswerResult> => {
    const { id, answer, now } = given;
    await withdrawOfDead(tx, id, now);
    const won = await settle(tx, given);
    if (won === undefined) {
      const [row] = await tx.query("SELECT * FROM toolgate.approvals WHERE id = $1", [id]);
      return explainLate(id, answer.by, row);
    }
    if (answer.decision === "deny" && won.reject_others === true && won.session_id !== null)
      await tx.run(
        `UPDATE toolgate.approvals SET state = 'denied', answered_at = $1, answered_by = $2, answer = $3,
           because_of = $4, ended_at = $1
         WHERE state = 'pending' AND session_id = $5 AND principal = $6`,
        [now, answer.by, keptAnswer(answer, redactor), id, won.session_id, won.principal],
      );
    return { ok: true };
  };

  /** Nobody waits for the answer of a process that has died. */
  const withdrawOfDead = async (tx: Statements, id: string, now: number): Promise<void> => {
    await tx.run(
      `UPDATE toolgate.approvals AS a SET state = 'withdrawn', ended_at = $2 WHERE id = $1 AND state = 'pending'
         AND process_id <> $3 AND NOT EXISTS (SELECT 1 FROM toolgate.nodes AS n
           WHERE n.id = a.process_id AND toolgate.is_living(n.seen))`,
      [id, now, nodeId],
    );
  };

  return {
    ...createApprovalReads(context),
    async open(opening) {
      // One after the other: two that count at the same time would both find the last place.
      const isOpen = await db.transaction(async (tx) => {
        if (!(await isRoomFor(tx, opening))) return false;
        const row = toRow(opening, nodeId, redactor);
        await insert(tx, "approvals", { ...row, reject_others: opening.rejectOthers });
        return true;
      }, "approvals");
      changed(isOpen ? 1 : 0);
      return isOpen;
    },
    async answer(given) {
      // Most answers are a yes to what still waits: one statement, and nobody waits for anybody.
      const isYes = given.answer.decision === "approve" && (await settle(db, given)) !== undefined;
      // Two denials in one session would otherwise wait for each other's rows.
      const result: AnswerResult = isYes
        ? { ok: true }
        : await db.transaction((tx) => decide(tx, given), "approvals");
      changed(result.ok ? 1 : 0);
      return result;
    },
    /** Only the process that asked can use the answer up, once. A binding that differs uses it up, too. */
    async claim({ id, binding, now }) {
      const { caller, toolId, definitionHash, inputHash, meaningHash, policyVersion } = binding;
      const [row] = await db.query(
        `UPDATE toolgate.approvals SET sealed_input = NULL, ended_at = $1, state = CASE
           WHEN principal = $2 AND tool_id = $3 AND definition_hash = $4 AND approved_input_hash = $5
             AND meaning_hash = $6 AND policy_version = COALESCE($7, policy_version)
           THEN 'claimed' ELSE 'withdrawn' END
         WHERE id = $8 AND state = 'approved' AND process_id = $9
         RETURNING state`,
        [now, caller, toolId, definitionHash, inputHash, meaningHash, policyVersion ?? null, id, nodeId],
      );
      return row?.state === "claimed";
    },
    async done({ id, now }) {
      await db.run(
        "UPDATE toolgate.approvals SET state = 'done', ended_at = $1 WHERE id = $2 AND state = 'claimed'",
        [now, id],
      );
    },
    async withdraw({ id, now }) {
      const count = await db.run(
        `UPDATE toolgate.approvals SET state = 'withdrawn', sealed_input = NULL, ended_at = $1
         WHERE id = $2 AND state IN ('pending', 'approved')`,
        [now, id],
      );
      changed(count);
    },
    /** Only the process that asked says so, by its own timer. */
    async expire({ id, now }) {
      const count = await db.run(
        `UPDATE toolgate.approvals SET state = 'expired', ended_at = $1
         WHERE id = $2 AND state = 'pending' AND process_id = $3`,
        [now, id, nodeId],
      );
      changed(count);
    },
    listen: (listener) => bells.listen("approvals", listener),
  };
}

/** What they asked is withdrawn, what they had begun is unknown. Returns how many there were. */
export function withdrawOwned(tx: Statements, nodes: readonly string[], now: number): Promise<number> {
  return tx.run(
    `UPDATE toolgate.approvals SET state = CASE state WHEN 'claimed' THEN 'unknown' ELSE 'withdrawn' END,
       sealed_input = NULL, ended_at = $1
     WHERE process_id = ANY($2) AND state IN ('pending', 'approved', 'claimed')`,
    [now, nodes],
  );
}

/** What has ended is shown for so long; the ledger keeps it for good. */
const keepEndedMs = 30 * 24 * 60 * 60_000;

export async function forgetEnded(tx: Statements, now: number): Promise<void> {
  await tx.run("DELETE FROM toolgate.approvals WHERE ended_at <= $1 AND state <> 'claimed'", [
    now - keepEndedMs,
  ]);
}

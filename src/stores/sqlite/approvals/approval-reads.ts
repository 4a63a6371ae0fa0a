/** Looks at approvals: what waits, what became of one, how people have answered. */
import type { ApprovalRecord, ApprovalTally } from "../../../core/ports/approval-store.ts";
import type { StoreContext } from "../area.ts";
import { livingProcesses } from "../processes/processes-area.ts";
import { isOpen, leftBehind, text, toRecord, type WaitedRecord } from "./approval-rows.ts";

const withAsker = `SELECT approvals.*, processes.pid, processes.start_ticks
  FROM approvals LEFT JOIN processes ON processes.id = approvals.process_id`;

/** What still can be answered, oldest first: nobody waits for the answer of a process that has died. */
export function pending(store: StoreContext, _: undefined): ApprovalRecord[] {
  const rows = store.all(`${withAsker} WHERE state = 'pending' ORDER BY number`);
  if (rows.length === 0) return [];
  const living = new Set(livingProcesses(store));
  return rows.filter((row) => living.has(text(row.process_id))).map(withoutSeal);
}

/** Those whose id begins so, newest first. A few are enough to tell that it is not clear which is meant. */
export function find(store: StoreContext, { prefix }: { readonly prefix: string }): ApprovalRecord[] {
  const rows = store.all(
    `${withAsker} WHERE substr(approvals.id, 1, ?) = ? ORDER BY number DESC LIMIT 10`,
    prefix.length,
    prefix,
  );
  const living = rows.some(isOpen) ? new Set(livingProcesses(store)) : undefined;
  return rows.map((row) => {
    const isLeft = living !== undefined && isOpen(row) && !living.has(text(row.process_id));
    return isLeft ? leftBehind(withoutSeal(row)) : withoutSeal(row);
  });
}

/** Those that nobody can answer any more, newest first. */
export function past(
  store: StoreContext,
  { tool, limit }: { readonly tool: string; readonly limit: number },
): ApprovalRecord[] {
  return store
    .all(
      `${withAsker} WHERE tool_id = ? AND state <> 'pending' ORDER BY number DESC LIMIT ?`,
      tool,
      Math.min(limit, 500),
    )
    .map(withoutSeal);
}

export function tally(store: StoreContext, { since }: { readonly since: number }): ApprovalTally {
  const rows = store.all(
    `SELECT state, answered_at - created_at AS took, json_extract(answer, '$.decision') AS decision
     FROM approvals WHERE created_at >= ?`,
    since,
  );
  const counts = { open: 0, approved: 0, denied: 0, expired: 0, withdrawn: 0 };
  const took: number[] = [];
  for (const row of rows) {
    if (row.took !== null) took.push(Number(row.took));
    // What was approved may be withdrawn afterwards: the call was cancelled before it ran.
    if (row.decision === "approve") counts.approved++;
    else if (row.decision === "deny") counts.denied++;
    else if (row.state === "pending") counts.open++;
    else if (row.state === "expired") counts.expired++;
    else counts.withdrawn++;
  }
  took.sort((one, other) => one - other);
  const at = (share: number) => took[Math.max(0, Math.ceil(took.length * share) - 1)];
  return { asked: rows.length, ...counts, medianMs: at(0.5), p95Ms: at(0.95) };
}

/** For those who wait: how these stand now. */
export function ends(store: StoreContext, { ids }: { readonly ids: readonly string[] }): WaitedRecord[] {
  return ids.flatMap((id) => {
    const row = store.get("SELECT * FROM approvals WHERE id = ?", id);
    return row === undefined ? [] : [toRecord(row)];
  });
}

/** Whom an edited input has to be sealed for, and whether the one that was shown had values taken out. */
export function seal(
  store: StoreContext,
  { id }: { readonly id: string },
): { readonly sealKey: string; readonly redactions: number } | undefined {
  const row = store.get("SELECT seal_key, redactions FROM approvals WHERE id = ?", id);
  return row && { sealKey: text(row.seal_key), redactions: Number(row.redactions) };
}

function withoutSeal(row: Parameters<typeof toRecord>[0]): ApprovalRecord {
  const { sealedInput: _, ...record } = toRecord(row);
  return record;
}

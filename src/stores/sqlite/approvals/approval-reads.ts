/** Looks at approvals: what waits, what became of one, how people have answered. */
import type { ApprovalRecord, ApprovalTally } from "../../../core/ports/approval-store.ts";
import {
  isOpen,
  leftBehind,
  text,
  toRecord,
  toTally,
  type WaitedRecord,
  withoutSeal,
} from "../../port/approval-rows.ts";
import type { StoreContext } from "../area.ts";
import { livingProcesses } from "../processes/processes-area.ts";

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
  return toTally(rows);
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

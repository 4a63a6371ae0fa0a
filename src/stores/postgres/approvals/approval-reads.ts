/** Looks at approvals: what waits, what became of one, how people have answered. */
import { isOpen, leftBehind, toRecord, toTally, withoutSeal } from "../../port/approval-rows.ts";
import { identifyOurselves } from "../../port/process-place.ts";
import type { Row } from "../../port/row.ts";
import type { ApprovalOperations } from "../../port/shared-approvals.ts";
import type { PostgresContext } from "../context.ts";

type Reads = Pick<ApprovalOperations, "pending" | "find" | "past" | "tally" | "ends" | "seal">;

export function createApprovalReads({ db, nodeId }: PostgresContext): Reads {
  const { host, boot, pidSpace } = identifyOurselves();
  /** The pid of a process means something on its own machine only. `lives`: it may still wait. */
  const withAsker = `SELECT a.*, n.pid, n.start_ticks,
      a.process_id = $1 OR COALESCE(toolgate.is_living(n.seen), false) AS lives
    FROM toolgate.approvals AS a
    LEFT JOIN (SELECT id, seen, CASE WHEN host = $2 AND boot = $3 AND pid_space = $4 THEN pid END AS pid, start_ticks
      FROM toolgate.nodes) AS n ON n.id = a.process_id`;
  const first = [nodeId, host, boot, pidSpace];
  const rowsOf = (rest: string, ...values: readonly unknown[]) =>
    db.look(`${withAsker} ${rest}`, [...first, ...values]);
  return {
    async pending() {
      const rows = await rowsOf("WHERE state = 'pending' ORDER BY number");
      return rows.filter(({ lives }) => lives === true).map(withoutSeal);
    },
    async find(prefix) {
      const rows = await rowsOf("WHERE starts_with(a.id, $5) ORDER BY number DESC LIMIT 10", prefix);
      return rows.map((row) => (isLeft(row) ? leftBehind(withoutSeal(row)) : withoutSeal(row)));
    },
    async past(tool, limit) {
      const rows = await rowsOf(
        "WHERE tool_id = $5 AND state <> 'pending' ORDER BY number DESC LIMIT $6",
        tool,
        Math.min(limit, 500),
      );
      return rows.map(withoutSeal);
    },
    async tally(since) {
      const rows = await db.look(
        `SELECT state, answered_at - created_at AS took, answer::json ->> 'decision' AS decision
         FROM toolgate.approvals WHERE created_at >= $1`,
        [since],
      );
      return toTally(rows);
    },
    async ends(ids) {
      const rows = await db.look("SELECT * FROM toolgate.approvals WHERE id = ANY($1)", [ids]);
      return rows.map(toRecord);
    },
    async seal(id) {
      const [row] = await db.look("SELECT seal_key, redactions FROM toolgate.approvals WHERE id = $1", [id]);
      return row && { sealKey: String(row.seal_key), redactions: Number(row.redactions) };
    },
  };
}

function isLeft(row: Row): boolean {
  return isOpen(row) && row.lives !== true;
}

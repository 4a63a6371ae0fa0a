/** Calls that started and have no end, of every process; those of dead ones become `unknown` and never run again. */
import type { JsonObject } from "../../../core/input/json.ts";
import type { LedgerIntent } from "../../../core/ports/ports.ts";
import type { LedgerRow, RowMaker } from "../../ledger/row.ts";
import type { Row } from "../../port/row.ts";
import type { Statements } from "../database.ts";
import type { DeadNode } from "../nodes.ts";

const openIntents = `SELECT * FROM toolgate.ledger AS i WHERE i.seq >= $1 AND i.kind = 'intent' AND NOT EXISTS
  (SELECT 1 FROM toolgate.ledger AS c WHERE c.call_id = i.call_id AND c.kind IN ('completion', 'unknown'))
  ORDER BY i.seq`;

export async function listOpen(db: Statements): Promise<Row[]> {
  const [first] = await db.query("SELECT min(open_from_seq) AS seq FROM toolgate.nodes");
  return first?.seq === null || first === undefined ? [] : db.query(openIntents, [first.seq]);
}

/** The rows that say so. */
export async function unknownRows(
  tx: Statements,
  nodes: readonly DeadNode[],
  { makeRow, now, why }: { readonly makeRow: RowMaker; readonly now: number; readonly why: string },
): Promise<LedgerRow[]> {
  if (nodes.length === 0) return [];
  const ids = new Set(nodes.map(({ id }) => id));
  const from = Math.min(...nodes.map(({ openFromSeq }) => openFromSeq));
  const made: LedgerRow[] = [];
  for (const row of await tx.query(openIntents, [from])) {
    const intent = JSON.parse(String(row.body)) as JsonObject;
    if (!ids.has(String(intent.process))) continue;
    made.push(
      makeRow.any("unknown", {
        ...factsOf(intent),
        at: now,
        recordedAt: now,
        intentSeq: Number(row.seq),
        message: why,
      }),
    );
  }
  return made;
}

/** The end of a call that was refused: its intent came into the ledger after the wait for it had failed. */
export function notRunRow(
  makeRow: RowMaker,
  intent: LedgerIntent,
  { seq, now }: { readonly seq: number; readonly now: number },
): LedgerRow {
  return makeRow.any("completion", {
    ...factsOf(intent as unknown as JsonObject),
    at: intent.at,
    recordedAt: now,
    durationMs: 0,
    kind: "call",
    verdict: "deny",
    ok: false,
    code: "store_unavailable",
    stage: "ledger",
    intentSeq: seq,
    message: "The call was refused while the database was away, and was not run.",
  });
}

function factsOf(intent: JsonObject): JsonObject {
  const { callId, tool, permission, caller, sessionId, toolUseId, input, approval } = intent;
  const told = { callId, tool, permission, caller, sessionId, toolUseId, input, approval };
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined)) as JsonObject;
}

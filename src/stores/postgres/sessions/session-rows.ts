/** Sessions, their items and prompts in PostgreSQL. */
import type { PromptRecord, SessionItem, SessionRecord } from "../../../core/ports/sessions.ts";
import { columnsOf, promptRow, toPrompt, toSession } from "../../port/session-rows.ts";
import type { Statements } from "../database.ts";
import { insert } from "../insert.ts";

/** `lock`: until the end of the transaction nobody else changes it. */
export async function findSession(
  tx: Statements,
  id: string,
  lock = false,
): Promise<SessionRecord | undefined> {
  const [row] = await tx.query(
    `SELECT body FROM toolgate.sessions WHERE id = $1${lock ? " FOR UPDATE" : ""}`,
    [id],
  );
  return row && toSession(row);
}

export async function insertSession(tx: Statements, session: SessionRecord): Promise<void> {
  await insert(tx, "sessions", { ...columnsOf(session), id: session.id });
}

export async function updateSession(tx: Statements, session: SessionRecord): Promise<void> {
  const { state, process, body } = columnsOf(session);
  await tx.run("UPDATE toolgate.sessions SET state = $1, process = $2, body = $3 WHERE id = $4", [
    state,
    process ?? null,
    body,
    session.id,
  ]);
}

/** All in one statement: an agent's turn adds many. */
export async function insertItems(
  tx: Statements,
  session: string,
  items: readonly SessionItem[],
): Promise<void> {
  if (items.length === 0) return;
  await tx.run(
    `INSERT INTO toolgate.session_items (session, seq, turn, kind, item_id, at, body)
     SELECT $1, * FROM unnest($2::bigint[], $3::integer[], $4::text[], $5::text[], $6::bigint[], $7::text[])`,
    [
      session,
      items.map(({ seq }) => seq),
      items.map(({ turn }) => turn),
      items.map(({ kind }) => kind),
      items.map(({ itemId }) => itemId),
      items.map(({ at }) => at),
      items.map(({ body }) => JSON.stringify(body)),
    ],
  );
}

export async function insertPrompt(tx: Statements, session: string, prompt: PromptRecord): Promise<void> {
  await insert(tx, "session_prompts", promptRow(session, prompt));
}

export async function promptsOf(tx: Statements, session: string): Promise<PromptRecord[]> {
  const rows = await tx.query("SELECT * FROM toolgate.session_prompts WHERE session = $1 ORDER BY number", [
    session,
  ]);
  return rows.map(toPrompt);
}

export async function dropPrompts(tx: Statements, id: string): Promise<void> {
  await tx.run(
    "UPDATE toolgate.session_prompts SET state = 'dropped' WHERE session = $1 AND state = 'queued'",
    [id],
  );
}

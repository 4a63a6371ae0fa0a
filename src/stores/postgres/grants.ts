/** Lasting approvals. Looked up at every use, not remembered: a revoked one counts nowhere from then on. */
import type { GrantStore } from "../../core/call/approval.ts";
import type { LedgerNote } from "../../core/ports/ports.ts";
import { givenNote, revokedNote, toGrant, toGrantRow, toLookup } from "../port/grant-rows.ts";
import type { PostgresContext } from "./context.ts";
import type { Statements } from "./database.ts";
import { insert } from "./insert.ts";

/** `note`: adds a note to the ledger as the last thing of a transaction. */
export function createPostgresGrants(
  { db, clock, bells }: PostgresContext,
  note: (tx: Statements, note: LedgerNote) => Promise<void>,
): GrantStore {
  return {
    // In one transaction: no grant counts without its note, and none is gone without one.
    async add(grant) {
      await db.transaction(async (tx) => {
        await insert(tx, "grants", toGrantRow(grant));
        await note(tx, givenNote(grant, clock.now()));
      });
      bells.ring("ledger");
    },
    async find(query) {
      const asked = toLookup(query);
      const [row] = await db.look(find, [
        asked.caller,
        asked.toolId,
        asked.definitionHash,
        asked.now,
        asked.sessionId ?? null,
        asked.project,
        asked.inputHash,
        asked.exactOnly,
        asked.meaningHashes,
      ]);
      return row && toGrant(row);
    },
    async list() {
      const rows = await db.look(
        "SELECT * FROM toolgate.grants WHERE expires_at IS NULL OR expires_at > $1 ORDER BY number",
        [clock.now()],
      );
      return rows.map(toGrant);
    },
    async revoke(id, by = "library") {
      const isThere = await db.transaction(async (tx) => {
        const [row] = await tx.query("DELETE FROM toolgate.grants WHERE id = $1 RETURNING *", [id]);
        if (row !== undefined) await note(tx, revokedNote(toGrant(row), by, clock.now()));
        return row !== undefined;
      });
      bells.ring("ledger");
      return isThere;
    },
  };
}

/** A comparison with NULL is never true: without a session no session's grant holds. */
const find = `SELECT * FROM toolgate.grants
  WHERE principal = $1 AND tool_id = $2 AND definition_hash = $3
    AND (expires_at IS NULL OR expires_at > $4)
    AND (scope = 'user' OR (scope = 'session' AND session_id = $5) OR (scope = 'project' AND project = $6))
    AND (input_hash = $7 OR (input_hash IS NULL AND NOT $8))
    AND meaning_hash = ANY($9)
  ORDER BY number LIMIT 1`;

export async function forgetExpired(db: Statements, now: number): Promise<void> {
  await db.run("DELETE FROM toolgate.grants WHERE expires_at <= $1", [now]);
}

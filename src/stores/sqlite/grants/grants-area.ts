/** Lasting approvals in the database. Looked up at every use: a revoked one counts nowhere from then on. */
import type { Grant } from "../../../core/call/approval.ts";
import { type GrantLookup, givenNote, revokedNote, toGrant, toGrantRow } from "../../port/grant-rows.ts";
import { defineArea, type StoreContext } from "../area.ts";
import { addNote } from "../ledger/add-note.ts";

export const grantsArea = defineArea({
  name: "grants",
  writes: { add, revoke },
  reads: { find, list },
  onOpen: forgetExpired,
  everySeconds: 3_600,
  onTick: forgetExpired,
});

function add(store: StoreContext, grant: Grant): void {
  store.insert("grants", toGrantRow(grant), "number");
  // In the same transaction: no grant counts without its note, and none is gone without one.
  addNote(store, { note: givenNote(grant, store.now()), state: undefined });
}

/** A comparison with NULL is never true: without a session no session's grant holds. */
function find(store: StoreContext, asked: GrantLookup): Grant | undefined {
  const row = store.get(
    `SELECT * FROM grants
     WHERE principal = ? AND tool_id = ? AND definition_hash = ?
       AND (expires_at IS NULL OR expires_at > ?)
       AND (scope = 'user' OR (scope = 'session' AND session_id = ?) OR (scope = 'project' AND project = ?))
       AND (input_hash = ? OR (input_hash IS NULL AND ? = 0))
       AND meaning_hash IN (SELECT value FROM json_each(?))
     ORDER BY number LIMIT 1`,
    asked.caller,
    asked.toolId,
    asked.definitionHash,
    asked.now,
    asked.sessionId ?? null,
    asked.project,
    asked.inputHash,
    asked.exactOnly ? 1 : 0,
    JSON.stringify(asked.meaningHashes),
  );
  return row && toGrant(row);
}

function list(store: StoreContext, { now }: { readonly now: number }): Grant[] {
  return store
    .all("SELECT * FROM grants WHERE expires_at IS NULL OR expires_at > ? ORDER BY number", now)
    .map(toGrant);
}

function revoke(
  store: StoreContext,
  { id, by = "library" }: { readonly id: string; readonly by?: string | undefined },
): boolean {
  const row = store.get("SELECT * FROM grants WHERE id = ?", id);
  if (row === undefined) return false;
  const grant = toGrant(row);
  store.run("DELETE FROM grants WHERE id = ?", id);
  addNote(store, { note: revokedNote(grant, by, store.now()), state: undefined });
  return true;
}

function forgetExpired(store: StoreContext): void {
  store.run("DELETE FROM grants WHERE expires_at <= ?", store.now());
}

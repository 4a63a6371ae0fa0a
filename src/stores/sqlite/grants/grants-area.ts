/** Lasting approvals in the database. Looked up at every use: a revoked one counts nowhere from then on. */
import type { Grant, GrantQuery } from "../../../core/call/approval.ts";
import type { LedgerNote } from "../../../core/ports/ports.ts";
import { defineArea, type StoreContext } from "../area.ts";
import type { Row } from "../context.ts";
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
  const row = {
    id: grant.id,
    scope: grant.scope,
    principal: grant.caller,
    session_id: grant.sessionId,
    project: grant.project,
    tool_id: grant.toolId,
    definition_hash: grant.definitionHash,
    input_hash: grant.inputHash,
    meaning_hash: grant.meaningHash,
    granted_by: grant.by,
    created_at: grant.createdAt,
    expires_at: grant.expiresAt,
  };
  store.insert("grants", row, "number");
  const { scope, toolId, caller, by } = grant;
  const ends = grant.expiresAt === undefined ? "" : `, until ${new Date(grant.expiresAt).toISOString()}`;
  const inputs = grant.inputHash === undefined ? "any input" : "one input";
  note(store, grant, {
    code: "grant_given",
    caller: by,
    message: `${by} lets ${caller} use ${toolId} (${scope}, ${inputs}${ends}).`,
  });
}

/** In the same transaction: no grant counts without its note, and none is gone without one. */
function note(
  store: StoreContext,
  { id, scope, caller, toolId, project, sessionId, inputHash }: Grant,
  said: Pick<LedgerNote, "code" | "caller" | "message">,
): void {
  const where = { ...(project && { project }), ...(sessionId && { sessionId }) };
  const about = { id, scope, caller, tool: toolId, ...where, anyInput: inputHash === undefined };
  addNote(store, { note: { at: store.now(), surface: "grants", ...said, about }, state: undefined });
}

export interface GrantLookup extends Omit<GrantQuery, "inputHash" | "meaningHashes"> {
  readonly inputHash: string;
  readonly meaningHashes: readonly string[];
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
  const message = `${by} takes back that ${grant.caller} may use ${grant.toolId} (${grant.scope}).`;
  note(store, grant, { code: "grant_revoked", caller: by, message });
  return true;
}

function forgetExpired(store: StoreContext): void {
  store.run("DELETE FROM grants WHERE expires_at <= ?", store.now());
}

function toGrant(row: Row): Grant {
  return Object.freeze({
    id: String(row.id),
    scope: String(row.scope) as Grant["scope"],
    caller: String(row.principal),
    sessionId: optional(row.session_id),
    project: optional(row.project),
    toolId: String(row.tool_id),
    definitionHash: String(row.definition_hash),
    inputHash: optional(row.input_hash),
    meaningHash: String(row.meaning_hash),
    by: String(row.granted_by),
    createdAt: Number(row.created_at),
    expiresAt: row.expires_at === null ? undefined : Number(row.expires_at),
  });
}

function optional(value: unknown): string | undefined {
  return value === null ? undefined : String(value);
}

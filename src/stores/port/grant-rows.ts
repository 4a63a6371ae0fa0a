/** How a grant looks in a database, and the notes that the ledger keeps about it. */
import type { Grant, GrantQuery } from "../../core/call/approval.ts";
import type { LedgerNote } from "../../core/ports/ports.ts";
import { optionalNumber, optionalText, type Row } from "./row.ts";

/** What is looked for, with everything computed. */
export interface GrantLookup extends Omit<GrantQuery, "inputHash" | "meaningHashes"> {
  readonly inputHash: string;
  readonly meaningHashes: readonly string[];
}

export function toLookup({ inputHash, meaningHashes, ...asked }: GrantQuery): GrantLookup {
  return { ...asked, inputHash: inputHash(), meaningHashes: meaningHashes() };
}

/** But for its number. */
export function toGrantRow(grant: Grant) {
  return {
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
}

export function toGrant(row: Row): Grant {
  return Object.freeze({
    id: String(row.id),
    scope: String(row.scope) as Grant["scope"],
    caller: String(row.principal),
    sessionId: optionalText(row.session_id),
    project: optionalText(row.project),
    toolId: String(row.tool_id),
    definitionHash: String(row.definition_hash),
    inputHash: optionalText(row.input_hash),
    meaningHash: String(row.meaning_hash),
    by: String(row.granted_by),
    createdAt: Number(row.created_at),
    expiresAt: optionalNumber(row.expires_at),
  });
}

export function givenNote(grant: Grant, at: number): LedgerNote {
  const { scope, toolId, caller, by } = grant;
  const ends = grant.expiresAt === undefined ? "" : `, until ${new Date(grant.expiresAt).toISOString()}`;
  const inputs = grant.inputHash === undefined ? "any input" : "one input";
  const message = `${by} lets ${caller} use ${toolId} (${scope}, ${inputs}${ends}).`;
  return noteOf(grant, { at, code: "grant_given", caller: by, message });
}

export function revokedNote(grant: Grant, by: string, at: number): LedgerNote {
  const message = `${by} takes back that ${grant.caller} may use ${grant.toolId} (${grant.scope}).`;
  return noteOf(grant, { at, code: "grant_revoked", caller: by, message });
}

function noteOf(
  { id, scope, caller, toolId, project, sessionId, inputHash }: Grant,
  said: Pick<LedgerNote, "at" | "code" | "caller" | "message">,
): LedgerNote {
  const where = { ...(project && { project }), ...(sessionId && { sessionId }) };
  const about = { id, scope, caller, tool: toolId, ...where, anyInput: inputHash === undefined };
  return { surface: "grants", ...said, about };
}

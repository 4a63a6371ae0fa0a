/** Lasting approvals in memory: found only for exactly what they were given for. */
import type { Grant, GrantQuery, GrantStore } from "../../core/call/approval.ts";

export function createMemoryGrants(now: () => number = Date.now): GrantStore {
  const grants = new Map<string, Grant>();
  return {
    add(grant) {
      grants.set(grant.id, grant);
    },
    find(query) {
      for (const grant of grants.values()) {
        if (grant.expiresAt !== undefined && grant.expiresAt <= query.now) grants.delete(grant.id);
        else if (covers(grant, query)) return grant;
      }
      return undefined;
    },
    list: () => [...grants.values()].filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now()),
    revoke: (id) => grants.delete(id),
  };
}

function covers(grant: Grant, query: GrantQuery): boolean {
  if (grant.caller !== query.caller || grant.toolId !== query.toolId) return false;
  if (grant.definitionHash !== query.definitionHash) return false;
  if (grant.scope === "session" && (grant.sessionId === undefined || grant.sessionId !== query.sessionId))
    return false;
  if (grant.scope === "project" && grant.project !== query.project) return false;
  if (!query.meaningHashes().includes(grant.meaningHash)) return false;
  return grant.inputHash === undefined ? !query.exactOnly : grant.inputHash === query.inputHash();
}

/** Grants: the lasting yeses, and taking one back. */

import type { Grant as StoredGrant } from "../../../core/call/approval.ts";
import { defined } from "../../../core/input/defined.ts";
import { shownName } from "../../../core/text/visible.ts";
import { json } from "../../http/answer.ts";
import { problem } from "../../http/problem.ts";
import type { Grant, GrantList } from "../contract.ts";
import { defineStoreRoute } from "../rest-route.ts";
import { grantList, revoked } from "../schemas/approvals.ts";

const listGrants = defineStoreRoute({
  method: "GET",
  path: "/api/grants",
  right: ["read", "approve"],
  summary: "All grants that hold",
  answers: { 200: grantList },
  handle: async (_request, { store }) =>
    json<GrantList>({ grants: (await store.grants.list()).map(toGrant) }),
});

const revokeGrant = defineStoreRoute({
  method: "DELETE",
  path: "/api/grants/:id",
  right: "approve",
  summary: "Takes a grant back",
  params: { id: "The grant's id." },
  answers: { 200: revoked },
  async handle({ params: { id }, holder }, { store }) {
    if (await store.grants.revoke(id, holder.caller.id)) return json({ id, revoked: true });
    return problem("not_found", `There is no grant ${shownName(id)}.`, {
      hint: "GET /api/grants lists them.",
    });
  },
});

export const grantRoutes = [listGrants, revokeGrant];

function toGrant({ toolId: tool, sessionId, project, inputHash, expiresAt, ...rest }: StoredGrant): Grant {
  const { id, scope, caller, definitionHash, by, createdAt } = rest;
  const where = { scope, caller, sessionId, project };
  return defined({ id, ...where, tool, definitionHash, inputHash, by, createdAt, expiresAt });
}

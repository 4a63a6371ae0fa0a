/** cs.tenant_get and cs.tenant_list: customer organisations. */
import { defineBuiltin } from "../define-builtin.ts";
import { closed } from "../input-fields.ts";
import { found, pageAnswer, tenantLine } from "./answers.ts";
import { cursor, id, limit, query } from "./fields.ts";
import type { Desk } from "./ports.ts";

export function createTenantGet(desk: Desk) {
  return defineBuiltin("cs.tenant_get", {
    title: "Get a tenant",
    description: "Shows a tenant, which is a customer organisation: name, plan, status.",
    input: closed(["id"], { id: { ...id, description: "The tenant's id." } }),
    synonyms: { id: ["tenant", "tenant_id", "tenantId"] },
    idempotent: true,
    run: ({ id: wanted }, context) =>
      desk.at(context, async ({ store, scope }) =>
        found("tenant", wanted, await store.tenant(scope, wanted), tenantLine),
      ),
  });
}

export function createTenantList(desk: Desk) {
  return defineBuiltin("cs.tenant_list", {
    title: "List tenants",
    description:
      "Lists tenants, which are customer organisations, newest first, or those with a part of a name.",
    input: closed([], { query: { ...query, description: "Part of the name." }, limit, cursor }),
    idempotent: true,
    run: ({ query: part, ...paging }, context) =>
      desk.page(context, paging, async ({ store, scope }, page) =>
        pageAnswer(await store.tenants(scope, { query: part }, page), tenantLine),
      ),
  });
}

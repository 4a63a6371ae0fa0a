/** cs.user_get and cs.user_list: the people of customers. */
import { failed } from "../../../core/call/tool-answer.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed, closedOneOf } from "../input-fields.ts";
import { found, pageAnswer, userLine } from "./answers.ts";
import { cursor, id, limit, line, query } from "./fields.ts";
import type { Desk } from "./ports.ts";

export function createUserGet(desk: Desk) {
  return defineBuiltin("cs.user_get", {
    title: "Get a user",
    description: "Finds a user of a customer by id, or by e-mail address.",
    input: closedOneOf({
      id: { ...id, description: "The user's id. Required, unless email is given." },
      email: { ...line, description: "The address, instead of the id." },
      tenant: { ...id, description: "With an address that several tenants have: which one." },
    }),
    synonyms: { id: ["user_id", "userId"], tenant: ["tenant_id", "tenantId"] },
    idempotent: true,
    adapt: (input) =>
      input.id === undefined && input.email === undefined ? "give either id or email" : input,
    validate: ({ id: wanted, email }) =>
      (wanted === undefined) === (email === undefined) ? "give either id or email" : undefined,
    run: ({ id: wanted, email, tenant }, context) =>
      desk.at(context, async ({ store, scope }) => {
        if (wanted !== undefined) {
          const user = await store.user(scope, wanted);
          const isOther = tenant !== undefined && user?.tenantId !== tenant;
          return found("user", wanted, isOther ? undefined : user, userLine);
        }
        const { items } = await store.users(scope, { email, tenantId: tenant }, { limit: 10 });
        if (items.length < 2) return found("user", email ?? "", items[0], userLine);
        const tenants = items.map(({ tenantId }) => tenantId).join(", ");
        const message = `Several tenants have a user with this address: ${tenants}. Say which in tenant.`;
        return failed({ code: "ambiguous", message });
      }),
  });
}

export function createUserList(desk: Desk) {
  return defineBuiltin("cs.user_list", {
    title: "List users",
    description: "Lists users of customers, newest first, by tenant or by a part of the name or address.",
    input: closed([], {
      query: { ...query, description: "Part of the name or the address." },
      tenant: { ...id, description: "Only users of this tenant." },
      limit,
      cursor,
    }),
    synonyms: { tenant: ["tenant_id", "tenantId"] },
    idempotent: true,
    run: ({ query: part, tenant, ...paging }, context) =>
      desk.page(context, paging, async ({ store, scope }, page) =>
        pageAnswer(await store.users(scope, { query: part, tenantId: tenant }, page), userLine),
      ),
  });
}

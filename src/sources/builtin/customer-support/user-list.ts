/** cs.user_list: users, newest first. */
import { failed } from "../../../core/call/tool-answer.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed } from "../input-fields.ts";
import { badCursor, pageAnswer, pageRequest, userLine } from "./answers.ts";
import { cursor, id, limit, query } from "./fields.ts";
import type { OpenDesk } from "./ports.ts";

export function createUserList(open: OpenDesk) {
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
    run: async ({ query: part, tenant, ...paging }, context) => {
      const page = pageRequest(paging);
      if (page === undefined) return badCursor();
      const desk = await open(context);
      if (!desk.ok) return failed(desk);
      return pageAnswer(
        await desk.store.users(desk.scope, { query: part, tenantId: tenant }, page),
        userLine,
      );
    },
  });
}

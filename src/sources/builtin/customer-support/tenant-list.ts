/** cs.tenant_list: customer organisations, newest first. */
import { failed } from "../../../core/call/tool-answer.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed } from "../input-fields.ts";
import { badCursor, pageAnswer, pageRequest, tenantLine } from "./answers.ts";
import { cursor, limit, query } from "./fields.ts";
import type { OpenDesk } from "./ports.ts";

export function createTenantList(open: OpenDesk) {
  return defineBuiltin("cs.tenant_list", {
    title: "List tenants",
    description:
      "Lists tenants, which are customer organisations, newest first, or those with a part of a name.",
    input: closed([], { query: { ...query, description: "Part of the name." }, limit, cursor }),
    idempotent: true,
    run: async ({ query: part, ...paging }, context) => {
      const page = pageRequest(paging);
      if (page === undefined) return badCursor();
      const desk = await open(context);
      if (!desk.ok) return failed(desk);
      return pageAnswer(await desk.store.tenants(desk.scope, { query: part }, page), tenantLine);
    },
  });
}

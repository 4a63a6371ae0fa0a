/** cs.tenant_get: one customer organisation. */
import { failed } from "../../../core/call/tool-answer.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed } from "../input-fields.ts";
import { notThere, rowAnswer, tenantLine } from "./answers.ts";
import { id } from "./fields.ts";
import type { OpenDesk } from "./ports.ts";

export function createTenantGet(open: OpenDesk) {
  return defineBuiltin("cs.tenant_get", {
    title: "Get a tenant",
    description: "Shows a tenant, which is a customer organisation: name, plan, status.",
    input: closed(["id"], { id: { ...id, description: "The tenant's id." } }),
    synonyms: { id: ["tenant", "tenant_id", "tenantId"] },
    idempotent: true,
    run: async ({ id: wanted }, context) => {
      const desk = await open(context);
      if (!desk.ok) return failed(desk);
      const tenant = await desk.store.tenant(desk.scope, wanted);
      return tenant === undefined ? notThere("tenant", wanted) : rowAnswer(tenantLine(tenant), tenant);
    },
  });
}

/** cs.user_get: one user, by id or by address. */
import { failed } from "../../../core/call/tool-answer.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed } from "../input-fields.ts";
import { notThere, rowAnswer, userLine } from "./answers.ts";
import { id, line } from "./fields.ts";
import type { OpenDesk } from "./ports.ts";

export function createUserGet(open: OpenDesk) {
  return defineBuiltin("cs.user_get", {
    title: "Get a user",
    description: "Finds a user of a customer by id, or by e-mail address.",
    input: closed([], {
      id: { ...id, description: "The user's id." },
      email: { ...line, description: "The address, instead of the id." },
      tenant: { ...id, description: "With an address that several tenants have: which one." },
    }),
    synonyms: { id: ["user_id", "userId"], tenant: ["tenant_id", "tenantId"] },
    idempotent: true,
    validate: ({ id: wanted, email }) =>
      (wanted === undefined) === (email === undefined) ? "give either id or email" : undefined,
    run: async ({ id: wanted, email, tenant }, context) => {
      const desk = await open(context);
      if (!desk.ok) return failed(desk);
      const { store, scope } = desk;
      if (wanted !== undefined) {
        const user = await store.user(scope, wanted);
        const isOther = tenant !== undefined && user?.tenantId !== tenant;
        return user === undefined || isOther ? notThere("user", wanted) : rowAnswer(userLine(user), user);
      }
      const { items } = await store.users(scope, { email, tenantId: tenant }, { limit: 10 });
      const [user, other] = items;
      if (user === undefined) return notThere("user", email ?? "");
      if (other === undefined) return rowAnswer(userLine(user), user);
      const tenants = items.map(({ tenantId }) => tenantId).join(", ");
      return failed({
        code: "ambiguous",
        message: `Several tenants have a user with this address: ${tenants}. Say which in tenant.`,
      });
    },
  });
}

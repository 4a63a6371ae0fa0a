/** What would happen to a call, stage by stage; nothing runs and nobody is asked. */
import { redactText } from "../../../safe/redact/redact.ts";
import { json } from "../../http/answer.ts";
import type { Explanation } from "../contract.ts";
import { defineGateRoute } from "../rest-route.ts";
import { explainBody, explanation } from "../schemas/tools.ts";

const explain = defineGateRoute({
  method: "POST",
  path: "/api/explain",
  right: ["call", "read"],
  summary: "The walk of one call, stage by stage, without running it",
  description: "Hooks do look at it. The caller is the token's name.",
  body: explainBody,
  answers: { 200: explanation },
  async handle({ body, holder }, { gate, store }) {
    const { as = "call", ...call } = body;
    const request = { input: {}, ...call, caller: holder.caller, surface: "http" };
    return json<Explanation>(withoutSecrets(await gate.explain(request, { as }), store?.redactText));
  },
});

/** A rewrite and the messages of rules repeat parts of the input. */
function withoutSecrets(said: Explanation, clean = redactText): Explanation {
  const { message, hint, walk } = said;
  return {
    ...said,
    ...(message !== undefined && { message: clean(message) }),
    ...(hint !== undefined && { hint: clean(hint) }),
    walk: walk.map((one) => ({ ...one, finding: clean(one.finding) })),
  };
}

export const explainRoutes = [explain];

/** The way in for a browser: the code of a link becomes a token. No cookie, and nothing in the address. */
import type { JsonObject } from "../../../core/input/json.ts";
import { isForeignPeer } from "../../../safe/net/foreign-peer.ts";
import { type Answer, json } from "../../http/answer.ts";
import { problem, secondsOf } from "../../http/problem.ts";
import type { LoggedIn } from "../../http/tokens/console-login.ts";
import type { GivenToken } from "../../http/tokens/give-token.ts";
import type { Login } from "../contract.ts";
import { defineRoute, type RestParts } from "../rest-route.ts";
import { login, loginBody } from "../schemas/console.ts";

const consoleLogin = defineRoute({
  method: "POST",
  path: "/api/console/login",
  right: "public",
  summary: "Exchanges the code of a link for a token",
  description:
    "`toolgate serve` prints such a link, and `toolgate console` opens one. A code is good for one login within a minute; the token ends after 12 hours.",
  body: loginBody,
  maxBodyBytes: 1_024,
  answers: { 200: login },
  async handle({ body, peerPorts }, { console, store, clock }) {
    if (console === undefined) return switchedOff;
    const result = await console.login(body.code, () => peerPorts !== undefined && isForeignPeer(peerPorts));
    if (!result.ok) return refuse(result);
    const { record, by } = result;
    const message = `${by} opens the console as ${record.name} (${record.rights.join(", ")}).`;
    return answerLogin(result, { message }, { store, clock });
  },
});

export const switchedOff = problem("not_found", "The console is switched off.", {
  hint: "server.console of the configuration says so.",
});

interface LoginNote {
  readonly message: string;
  readonly about?: JsonObject;
}

/** The token, once it is on record who got it. */
export async function answerLogin(
  { token, record }: GivenToken,
  { message, about }: LoginNote,
  { store, clock }: Pick<RestParts, "store" | "clock">,
): Promise<Answer> {
  const { name, rights } = record;
  await store.ledger.note({
    at: clock.now(),
    code: "token_created",
    caller: name,
    surface: "http",
    message,
    about: { name, rights: [...rights], ...about },
  });
  const expiresAt = Date.parse(record.expiresAt ?? "");
  return json<Login>({ token, caller: name, rights: [...rights], expiresAt });
}

const hint = "Run `toolgate console` for a new link.";

function refuse(refused: Exclude<LoggedIn, { ok: true }>) {
  if (refused.why === "too_many")
    return problem("too_many_requests", "There were too many wrong codes.", {
      hint: "Wait as long as Retry-After says, then open a new link.",
      headers: { "retry-after": String(secondsOf(refused.retryAfterMs)) },
    });
  if (refused.why === "used")
    return problem("login_code_used", "This link has been opened already, and each counts once.", { hint });
  if (refused.why === "expired")
    return problem("login_code_expired", "This link is older than a minute.", { hint });
  return problem("login_code_unknown", "This server did not make this link, or too long ago.", { hint });
}

export const consoleRoutes = [consoleLogin];

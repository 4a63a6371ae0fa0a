/** The way in for a browser: the code of a link becomes a token. No cookie, and nothing in the address. */
import { isForeignPeer } from "../../../safe/net/foreign-peer.ts";
import { json } from "../../http/answer.ts";
import { problem, secondsOf } from "../../http/problem.ts";
import type { LoggedIn } from "../../http/tokens/console-login.ts";
import type { Login } from "../contract.ts";
import { defineRoute } from "../rest-route.ts";
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
    if (console === undefined)
      return problem("not_found", "The console is switched off.", {
        hint: "server.console of the configuration says so.",
      });
    const result = await console.login(body.code, () => peerPorts !== undefined && isForeignPeer(peerPorts));
    if (!result.ok) return refuse(result);
    const { token, record, by } = result;
    const { name, rights } = record;
    const message = `${by} opens the console as ${name} (${rights.join(", ")}).`;
    const about = { name, rights: [...rights] };
    await store.ledger.note({
      at: clock.now(),
      code: "token_created",
      caller: name,
      surface: "http",
      message,
      about,
    });
    const expiresAt = Date.parse(record.expiresAt ?? "");
    return json<Login>({ token, caller: name, rights: [...rights], expiresAt });
  },
});

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

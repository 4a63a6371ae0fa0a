/** The way in for people of a team: their identity provider says who they are (OpenID Connect). */
import { json } from "../../http/answer.ts";
import { problem } from "../../http/problem.ts";
import type { SignInRefusal } from "../../http/sign-in/refusal.ts";
import type { LoginWays, SignInStart } from "../contract.ts";
import { defineRoute } from "../rest-route.ts";
import { login, loginWays, signInBody, signInStart } from "../schemas/console.ts";
import { answerLogin, switchedOff } from "./console.ts";

const ways = defineRoute({
  method: "GET",
  path: "/api/console/login",
  right: "public",
  summary: "How people come in to the console",
  description: "`oidc` is there where people sign in with an identity provider.",
  answers: { 200: loginWays },
  handle(_request, { console, signIn }) {
    if (console === undefined) return switchedOff;
    return json<LoginWays>(signIn === undefined ? {} : { oidc: { host: signIn.host } });
  },
});

const begin = defineRoute({
  method: "POST",
  path: "/api/console/sign-in",
  right: "public",
  summary: "Begins a sign-in with the identity provider",
  description:
    "The page goes to `url` and comes back to `/login` with `code` and `state` within five minutes. Only the tab that keeps `tab` can finish.",
  answers: { 200: signInStart },
  async handle(request, { signIn }) {
    if (signIn === undefined) return notConfigured;
    const begun = await signIn.begin(request.header("origin"));
    return begun.ok ? json<SignInStart>({ url: begun.url, tab: begun.tab }) : refuse(begun);
  },
});

const finish = defineRoute({
  method: "POST",
  path: "/api/console/sign-in/finish",
  right: "public",
  summary: "Exchanges what the identity provider sent back for a token",
  description: "Each sign-in counts once. The token is one of the console, and ends after 12 hours.",
  body: signInBody,
  maxBodyBytes: 8_192,
  answers: { 200: login },
  async handle(request, { signIn, store, clock }) {
    if (signIn === undefined) return notConfigured;
    const { body, signal, peerAddress: from } = request;
    const result = await signIn.finish({ ...body, origin: request.header("origin"), from, signal });
    if (!result.ok) return refuse(result);
    const { record, name, subject } = result;
    const message = `${name} signs in with ${signIn.host} and opens the console as ${record.name} (${record.rights.join(", ")}).`;
    const about = { issuer: signIn.host, subject: subject.slice(0, 200) };
    return answerLogin(result, { message, about }, { store, clock });
  },
});

const notConfigured = problem("not_found", "Nobody signs in here with an identity provider.", {
  hint: "server.oauth.console of the configuration sets it up.",
});

const codes = {
  old: "sign_in_old",
  refused: "sign_in_refused",
  away: "issuer_away",
  busy: "too_many_requests",
} as const;

function refuse({ why, message, hint }: SignInRefusal) {
  const wait = why === "busy" || why === "away" ? { "retry-after": "5" } : undefined;
  return problem(codes[why], message, { hint, headers: wait });
}

export const signInRoutes = [ways, begin, finish];

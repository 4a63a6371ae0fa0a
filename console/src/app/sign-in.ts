/** Signing in with an identity provider: the tab goes there, comes back with a code, and only this tab can use it. */
import type { Login, SignInStart } from "toolgate/contract";
import type { Connection } from "../api/connection.ts";
import { RequestError } from "../api/problem.ts";

/** What the tab keeps while it is away: the secret that ties the sign-in to it, and which view it came for. */
const key = "toolgate.sign-in";

interface Begun {
  readonly tab: string;
  readonly view: string;
}

/** Resolves when the browser is on its way. */
export async function beginSignIn(connection: Connection): Promise<void> {
  const { url, tab } = await connection.request<SignInStart>("api/console/sign-in", { method: "POST" });
  const view = location.hash.startsWith("#/") ? location.hash : "#/";
  sessionStorage.setItem(key, JSON.stringify({ tab, view } satisfies Begun));
  // An address of the page itself, such as one that begins with javascript:, is not gone to.
  if (!/^https?:$/.test(new URL(url).protocol)) throw new Error("The gate named no address to sign in at.");
  location.assign(url);
}

let returned: URLSearchParams | undefined;

/** Before anything else: code and state leave the address, so that no history and no bookmark keeps them. */
export function takeReturn(): void {
  if (!location.pathname.endsWith("/login")) return;
  const query = new URLSearchParams(location.search);
  if (query.has("state") || query.has("error")) returned = query;
  const { view = "#/" } = readBegun() ?? {};
  const hash = location.hash.startsWith("#k=") ? location.hash : view;
  history.replaceState(null, "", `${location.pathname.slice(0, -"login".length)}${hash}`);
}

/** Undefined: nobody came back. Rejects with what went wrong. */
export async function finishSignIn(connection: Connection): Promise<Login | undefined> {
  const query = returned;
  if (query === undefined) return undefined;
  returned = undefined;
  const begun = readBegun();
  sessionStorage.removeItem(key);
  // A link of somebody else, who wants this browser to work under their name.
  if (begun === undefined)
    throw new Error("This tab did not begin that sign-in, so it was not used. Sign in again from here.");
  const error = query.get("error");
  if (error !== null) throw new Error(explain(error));
  const [code, state, iss] = [query.get("code"), query.get("state"), query.get("iss")];
  if (code === null || state === null)
    throw new Error("The identity provider sent no code back. Sign in again.");
  return connection.request<Login>("api/console/sign-in/finish", {
    method: "POST",
    body: { code, state, tab: begun.tab, ...(iss !== null && { iss }) },
  });
}

/** With what to do, which a person without a token cannot look up elsewhere. */
export function explainSignIn(error: unknown): string {
  if (error instanceof RequestError && error.hint !== undefined) return `${error.message} ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}

function readBegun(): Begun | undefined {
  try {
    const read: unknown = JSON.parse(sessionStorage.getItem(key) ?? "null");
    return typeof read === "object" && read !== null ? (read as Begun) : undefined;
  } catch {
    return undefined;
  }
}

/** The errors of OAuth and OpenID Connect that a person or an administrator can do something about. */
function explain(error: string): string {
  if (error === "access_denied")
    return "The sign-in was cancelled, or you are not allowed to use the console.";
  if (error === "temporarily_unavailable" || error === "server_error")
    return "The identity provider cannot sign you in now. Try again in a moment.";
  const shown = /^[\w.-]{1,60}$/.test(error) ? ` (${error})` : "";
  return `The identity provider refused to sign you in${shown}. Whoever runs the server compares server.oauth.console with what is registered there.`;
}

/** How a tab comes in: by the code of a link, a sign-in, the token it has, or one that another tab has. */
import type { Login, Me } from "toolgate/contract";
import type { Connection } from "../api/connection.ts";
import { isOffline, messageOf, RequestError } from "../api/problem.ts";
import type { TokenPlace } from "../api/token.ts";
import { explainSignIn, finishSignIn } from "./sign-in.ts";

export type Entered =
  | { readonly at: "outside"; readonly why: string | undefined }
  | { readonly at: "inside"; readonly me: Me };

export async function enter(connection: Connection, tokens: TokenPlace): Promise<Entered> {
  const code = takeCode();
  if (code !== undefined) {
    try {
      const { token } = await connection.request<Login>("api/console/login", {
        method: "POST",
        body: { code },
      });
      tokens.keep(token);
    } catch (error) {
      // A tab that is in already stays in: the link may have been opened twice.
      if (tokens.read() === undefined) return { at: "outside", why: whyNot(error) };
    }
  }
  try {
    const signedIn = await finishSignIn(connection);
    if (signedIn !== undefined) tokens.keep(signedIn.token);
  } catch (error) {
    if (tokens.read() === undefined) return { at: "outside", why: explainSignIn(error) };
  }
  if (tokens.read() === undefined) {
    const token = await tokens.askOthers();
    if (token === undefined) return { at: "outside", why: undefined };
    tokens.keep(token);
  }
  try {
    return { at: "inside", me: await connection.request<Me>("api/me") };
  } catch (error) {
    if (!isOffline(error)) tokens.forget();
    return { at: "outside", why: whyNot(error) };
  }
}

let taken: string | undefined;

/** The code leaves the address before anything else happens, so that no history and no bookmark keeps it. */
function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.replace(/^#/, "")).get("k") ?? undefined;
  if (code === undefined || location.hash.startsWith("#/") || code === taken) return undefined;
  taken = code;
  history.replaceState(null, "", "#/");
  return code;
}

function whyNot(error: unknown): string {
  if (error instanceof RequestError) {
    if (error.code === "login_code_used") return "This link was used already. A link works once.";
    if (error.code === "login_code_expired") return "This link is too old. A link works for one minute.";
    if (error.status === 410 || error.status === 404) return "This link leads nowhere any more.";
    if (error.status === 401)
      return "This token is not valid: it was revoked, it has expired, or it is of another gate.";
  }
  return messageOf(error);
}

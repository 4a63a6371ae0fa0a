/** Decides what a redirect answer asks for: the next URL, and what of the request may travel there. */
import { checkUrl } from "./check-url.ts";
import { type FetchRefusal, refuse } from "./refusal.ts";
import type { RequestParts } from "./request-parts.ts";

export type NextHop =
  | { readonly ok: true; readonly url: URL; readonly parts: RequestParts }
  | { readonly ok: true; readonly url: undefined }
  | FetchRefusal;

export type DecideNextHop = (
  from: URL,
  parts: RequestParts,
  status: number,
  location: string | undefined,
) => NextHop;

export const nextHop: DecideNextHop = (from, parts, status, location) => {
  if (!redirects.has(status) || location === undefined) return { ok: true, url: undefined };
  const next = checkUrl(location, from);
  if (!next.ok) {
    return refuse(
      "bad_redirect",
      `${from.host} redirects to a URL that is refused. ${next.message}`,
      next.hint,
    );
  }
  // The request, or the answer the caller trusts, would travel where anybody on the way can read and change
  // it.
  if (from.protocol === "https:" && next.url.protocol === "http:") {
    return refuse(
      "bad_redirect",
      `${from.host} redirects from https to plain http on ${next.url.host}.`,
      "Ask for the http URL itself if that is wanted.",
    );
  }
  const becomesGet = status === 303 ? parts.method !== "HEAD" : status < 303 && parts.method === "POST";
  return {
    ok: true,
    url: next.url,
    parts: {
      method: becomesGet ? "GET" : parts.method,
      headers: keptHeaders(parts.headers, becomesGet, next.url.origin === from.origin),
      body: becomesGet ? undefined : parts.body,
    },
  };
};

const redirects = new Set([301, 302, 303, 307, 308]);
/** Any other header may be a credential (`X-Api-Key`), so only these go to another origin. */
const harmless = new Set(["accept", "accept-language", "content-type", "content-language", "user-agent"]);

function keptHeaders(
  headers: ReadonlyMap<string, string>,
  bodyDropped: boolean,
  sameOrigin: boolean,
): ReadonlyMap<string, string> {
  return new Map(
    [...headers].filter(
      ([name]) => (sameOrigin || harmless.has(name)) && !(bodyDropped && name.startsWith("content-")),
    ),
  );
}

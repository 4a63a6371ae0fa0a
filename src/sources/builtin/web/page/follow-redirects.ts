/** Fetches a page and decides about every redirect: the rules were asked about the first address only. */
import type { ToolContext } from "../../../../core/tool/tool.ts";
import type { FetchAnswer, FetchRefusal, FetchRequest, SafeFetch } from "../../../../safe/net/safe-fetch.ts";

/** Whether a redirect may be followed; a text says why not. */
export type MayFollow = (
  to: string,
  context: ToolContext,
  from: string,
) => Promise<string | undefined> | string | undefined;

export type Fetched =
  | { readonly kind: "answer"; readonly answer: FetchAnswer; readonly redirects: readonly string[] }
  | { readonly kind: "elsewhere"; readonly from: string; readonly to: string; readonly why: string }
  | { readonly kind: "refused"; readonly refusal: FetchRefusal };

const maxHops = 5;

export async function fetchPage(
  safeFetch: SafeFetch,
  request: FetchRequest,
  context: ToolContext,
  mayFollow: MayFollow | undefined,
): Promise<Fetched> {
  const redirects: string[] = [];
  const deadline = performance.now() + (request.timeoutMs ?? 0);
  let { url } = request;
  for (;;) {
    let next: string | undefined;
    const refuseRedirect = (to: string) => {
      next = to;
      return "it is looked at first.";
    };
    const timeoutMs = Math.max(1, Math.round(deadline - performance.now()));
    const result = await safeFetch({ ...request, url, timeoutMs, refuseRedirect });
    if (result.ok) return { kind: "answer", answer: result, redirects };
    if (next === undefined) return { kind: "refused", refusal: result };
    const to: string = next;
    if (redirects.length >= maxHops) return { kind: "refused", refusal: tooMany(to) };
    const why = mayFollow === undefined ? onlySameHost(url, to) : await mayFollow(to, context, url);
    if (why !== undefined) return { kind: "elsewhere", from: url, to, why };
    redirects.push(to);
    url = to;
  }
}

function tooMany(to: string): FetchRefusal {
  const message = `After ${maxHops} redirects there is another one, to ${new URL(to).host}.`;
  return { ok: false, code: "too_many_redirects", message, hint: "Ask for the final address." };
}

/** Without somebody to ask, a rule counts for all of this host, and no other host is entered. */
export function onlySameHost(from: string, to: string): string | undefined {
  const before = new URL(from);
  const after = new URL(to);
  const sameName = withoutWww(before.hostname) === withoutWww(after.hostname);
  const samePort = before.port === after.port;
  return sameName && samePort ? undefined : "It is another host, for which other rules may hold.";
}

function withoutWww(hostname: string): string {
  return hostname.replace(/^www\./, "");
}

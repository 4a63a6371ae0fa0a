/** Access tokens by OAuth client credentials: fetched when needed, kept until shortly before they expire. */
import { isJsonObject } from "../../../core/input/json.ts";
import { type FetchResult, safeFetch } from "../../../safe/net/safe-fetch.ts";
import { type OauthSettings, UpstreamError } from "../talk/connection.ts";

interface Kept {
  readonly token: string;
  readonly until: number;
}

/** Before the end of its life, for clocks that differ and requests under way. */
const marginMs = 30_000;
const defaultLifeMs = 5 * 60_000;
const maxBytes = 64 * 1024;
const timeoutMs = 10_000;

export function createOauthToken(settings: OauthSettings, place: { name: string; resource: string }) {
  let kept: Kept | undefined;
  let fetching: Promise<Kept> | undefined;
  return {
    /** Rejects with UpstreamError. One request serves everybody who waits. */
    async get(): Promise<string> {
      if (kept !== undefined && kept.until > performance.now()) return kept.token;
      fetching ??= fetchToken(settings, place).finally(() => {
        fetching = undefined;
      });
      kept = await fetching;
      return kept.token;
    },
    /** The server did not take it. */
    forget(token: string): void {
      if (kept?.token === token) kept = undefined;
    },
  };
}

async function fetchToken(settings: OauthSettings, place: { name: string; resource: string }): Promise<Kept> {
  if (!isPrivateWay(settings.tokenUrl))
    throw new UpstreamError(
      "unavailable",
      `The upstream server "${place.name}" cannot be used: token_url must begin with https://, because the client's secret is sent there.`,
    );
  const first = await ask(settings, place.resource, "basic");
  // Some take the secret in the body only.
  const answer =
    first.ok && (first.status === 401 || first.status === 400)
      ? await ask(settings, place.resource, "post")
      : first;
  const fail = (why: string): UpstreamError =>
    new UpstreamError(
      "unavailable",
      `The upstream server "${place.name}" cannot be used: ${new URL(settings.tokenUrl).host} gave no access token: ${why}`,
    );
  if (!answer.ok) throw fail(answer.message);
  const body = parse(answer.text());
  if (answer.status !== 200) {
    // Only the code of the error: its words may repeat what was sent.
    const code = typeof body?.error === "string" ? `: ${body.error.slice(0, 100)}` : "";
    throw fail(`HTTP ${answer.status}${code}. Check client_id and client_secret.`);
  }
  const token = body?.access_token;
  if (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token))
    throw fail("the answer holds no access_token.");
  const type = body?.token_type;
  if (typeof type === "string" && type.toLowerCase() !== "bearer")
    throw fail(`it gives ${type.slice(0, 40)} tokens, and only bearer tokens can be used.`);
  const lifeMs = typeof body?.expires_in === "number" ? body.expires_in * 1_000 : defaultLifeMs;
  return { token, until: performance.now() + Math.max(lifeMs - marginMs, lifeMs / 2) };
}

/** On this machine nobody else can listen. */
function isPrivateWay(tokenUrl: string): boolean {
  if (!URL.canParse(tokenUrl)) return false;
  const { protocol, hostname } = new URL(tokenUrl);
  return (
    protocol === "https:" ||
    (protocol === "http:" && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
  );
}

function ask(settings: OauthSettings, resource: string, how: "basic" | "post"): Promise<FetchResult> {
  const { tokenUrl, clientId, clientSecret, scope } = settings;
  const form = new URLSearchParams({ grant_type: "client_credentials", resource });
  if (scope !== undefined) form.set("scope", scope);
  const headers: Record<string, string> = {
    "content-type": "application/x-www-form-urlencoded",
    accept: "application/json",
  };
  if (how === "basic") {
    const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
    headers.authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
  } else {
    form.set("client_id", clientId);
    form.set("client_secret", clientSecret);
  }
  const url = new URL(tokenUrl);
  return safeFetch({
    url: tokenUrl,
    method: "POST",
    headers,
    body: form.toString(),
    timeoutMs,
    maxBytes,
    maxRedirects: 0,
    // The user wrote this very address down.
    allowPrivate: [`${url.hostname}:${url.port || (url.protocol === "https:" ? 443 : 80)}`],
  });
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

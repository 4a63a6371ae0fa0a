/** Fetches for strangers: only public addresses, checked at the connection, with caps on everything. */
import type { IncomingMessage } from "node:http";
import { checkUrl } from "./check-url.ts";
import { type AllowPrivate, admit, type Dial, dial, type Resolve, systemResolve } from "./connect.ts";
import { aborted, networkError, tooSlow } from "./failure.ts";
import { type JudgeAddress, judgeAddress } from "./public-address.ts";
import { type ReadBody, readBody } from "./read-body.ts";
import { type DecideNextHop, nextHop } from "./redirect.ts";
import { type FetchRefusal, refuse } from "./refusal.ts";
import { checkRequest, type RequestParts } from "./request-parts.ts";
import { headersOf, sendRequest } from "./send-request.ts";

export type { FetchErrorCode, FetchRefusal } from "./refusal.ts";

export interface FetchRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For everything together: name, connection, redirects and the last byte. */
  readonly timeoutMs?: number;
  /** Of the body, after unpacking. */
  readonly maxBytes?: number;
  readonly maxRedirects?: number;
  /** `true`, or exact `host:port` pairs. Opens loopback and private networks, never link-local by name. */
  readonly allowPrivate?: AllowPrivate;
  /** Asked before each redirect is followed; a text refuses it. Rules about URLs must hold for every hop. */
  readonly refuseRedirect?: (to: string, from: string) => string | undefined;
  readonly signal?: AbortSignal;
  readonly resolve?: Resolve;
}

export interface FetchAnswer {
  readonly ok: true;
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  text(): string;
  /** The URL that answered. */
  readonly url: string;
  /** The URLs that were followed to, in order. */
  readonly redirects: readonly string[];
}

export type FetchResult = FetchAnswer | FetchRefusal;

export type SafeFetch = (request: FetchRequest) => Promise<FetchResult>;

/** The guards, one by one, so that tests can break each and see it caught. */
export interface FetchGuards {
  readonly judge: JudgeAddress;
  readonly dial: Dial;
  readonly nextHop: DecideNextHop;
  readonly readBody: ReadBody;
  /** Certificate authorities instead of the built-in ones. */
  readonly ca?: string;
}

/** Never rejects: every end is a value. */
export const safeFetch: SafeFetch = createSafeFetch();

export function createSafeFetch(replaced: Partial<FetchGuards> = {}): SafeFetch {
  const guards: FetchGuards = { judge: judgeAddress, dial, nextHop, readBody, ...replaced };
  return async (request) => {
    const url = checkUrl(request.url);
    if (!url.ok) return url;
    const checked = checkRequest(request.method ?? "GET", request.headers ?? {}, request.body);
    if (!checked.ok) return checked;
    const limits = limitsOf(request);
    if (limits === undefined) {
      return refuse(
        "bad_request",
        "A limit is not a number in its range.",
        "Use whole numbers: timeoutMs from 1, others from 0.",
      );
    }
    if (isAborted(request.signal)) return aborted();

    const ending = new AbortController();
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      ending.abort();
    }, limits.timeoutMs);
    const onAbort = (): void => ending.abort();
    request.signal?.addEventListener("abort", onAbort, { once: true });
    try {
      return await follow(url.url, checked.parts, { request, guards, limits, signal: ending.signal });
    } catch (error) {
      if (isAborted(request.signal)) return aborted();
      if (timedOut) return tooSlow(limits.timeoutMs);
      return networkError(error);
    } finally {
      clearTimeout(timer);
      request.signal?.removeEventListener("abort", onAbort);
      ending.abort();
    }
  };
}

interface Limits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly maxRedirects: number;
}

interface Walk {
  readonly request: FetchRequest;
  readonly guards: FetchGuards;
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

async function follow(start: URL, startParts: RequestParts, walk: Walk): Promise<FetchResult> {
  const { request, guards, limits, signal } = walk;
  const redirects: string[] = [];
  let url = start;
  let parts = startParts;
  for (;;) {
    const resolve = request.resolve ?? systemResolve;
    const admitted = await untilEnded(
      admit(url, request.allowPrivate ?? false, resolve, guards.judge),
      signal,
    );
    if (!admitted.ok) return admitted;
    const socket = await guards.dial({ url, addresses: admitted.addresses, signal, ca: guards.ca });
    try {
      const response = await sendRequest(url, parts, socket, signal);
      const status = response.statusCode ?? 0;
      const next = guards.nextHop(url, parts, status, response.headers.location);
      if (!next.ok) return next;
      if (next.url === undefined) return await answer(response, url, redirects, walk);

      if (redirects.length >= limits.maxRedirects) {
        return refuse(
          "too_many_redirects",
          `The answer is a redirect to ${next.url.host}, and only ${limits.maxRedirects} are followed.`,
          "Ask for the final URL.",
        );
      }
      const reason = request.refuseRedirect?.(next.url.href, url.href);
      if (reason !== undefined) {
        return refuse(
          "bad_redirect",
          `The redirect to ${next.url.host} was refused: ${reason}`,
          "Ask for that URL itself.",
        );
      }
      redirects.push(next.url.href);
      url = next.url;
      parts = next.parts;
    } finally {
      socket.destroy();
    }
  }
}

async function answer(
  response: IncomingMessage,
  url: URL,
  redirects: readonly string[],
  { guards, limits, signal }: Walk,
): Promise<FetchResult> {
  const body = await guards.readBody(response, limits.maxBytes, signal);
  if (!body.ok) return body;
  const headers = headersOf(response);
  return {
    ok: true,
    status: response.statusCode ?? 0,
    headers,
    body: body.bytes,
    text: () => decode(body.bytes, headers["content-type"]),
    url: url.href,
    redirects,
  };
}

function decode(bytes: Uint8Array, contentType: string | undefined): string {
  const label = /;\s*charset="?([\w.:-]{1,40})/i.exec(contentType ?? "")?.[1];
  try {
    return new TextDecoder(label ?? "utf-8").decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function limitsOf(request: FetchRequest): Limits | undefined {
  const { timeoutMs = 10_000, maxBytes = 5 * 1024 * 1024, maxRedirects = 5 } = request;
  const valid = timeoutMs >= 1 && maxBytes >= 0 && Number.isInteger(maxRedirects) && maxRedirects >= 0;
  // A longer timer would overflow and fire at once.
  return valid ? { timeoutMs: Math.min(timeoutMs, 2 ** 31 - 1), maxBytes, maxRedirects } : undefined;
}

/** A system lookup cannot be cancelled, but nobody has to wait for it. */
function untilEnded<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(new Error("ended"));
    signal.addEventListener("abort", () => reject(new Error("ended")), { once: true });
    work.then(resolve, reject);
  });
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

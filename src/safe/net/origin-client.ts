/** Talks HTTP to one address of the user's configuration: checked, kept alive, no foreign redirects. */

import { Agent, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { onAbort } from "../../core/run/abort.ts";
import { exactDuration } from "../../core/text/duration.ts";
import { checkUrl, portOf } from "./check-url.ts";
import { admit, dial, systemResolve } from "./connect.ts";
import { aborted, networkError } from "./failure.ts";
import { judgeAddress } from "./public-address.ts";
import { type FetchRefusal, refuse } from "./refusal.ts";
import { checkRequest, type RequestParts } from "./request-parts.ts";
import { headersOf, openRequest } from "./send-request.ts";

export interface OriginClientOptions {
  readonly url: string;
  /** Connections at once; further requests wait for one. */
  readonly maxConnections?: number;
  /** Of one request, inside of the same origin. Default: 3. */
  readonly maxRedirects?: number;
  /** To be connected, and encrypted where it is https. */
  readonly connectTimeoutMs?: number;
  /** Certificate authorities instead of the built-in ones. */
  readonly ca?: string;
}

export interface OriginRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface OriginAnswer {
  readonly ok: true;
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** To be read or destroyed: until then it holds its connection. */
  readonly body: OriginBody;
}

export interface OriginBody {
  /** Gives each chunk as it comes. Rejects when the answer breaks off or `take` throws. */
  read(take: (chunk: Buffer) => void): Promise<void>;
  destroy(): void;
  /** Read to its end, and forgotten. */
  skip(): void;
}

export interface OriginClient {
  /** Never rejects. A cancelled request is a refusal too. */
  send(request: OriginRequest): Promise<OriginAnswer | FetchRefusal>;
  close(): void;
}

const maxHeaderBytes = 64 * 1024;
const idleConnectionMs = 4_000;

/** Private addresses are open, because the user wrote the host down; DNS cannot lead to link-local. */
export function createOriginClient(
  options: OriginClientOptions,
): { readonly ok: true; readonly client: OriginClient } | FetchRefusal {
  const checked = checkUrl(options.url);
  if (!checked.ok) return checked;
  const start = checked.url;
  const { maxRedirects = 3 } = options;
  const agent = new CheckedAgent(start, options);
  let home = start;

  const send = async (request: OriginRequest): Promise<OriginAnswer | FetchRefusal> => {
    // The body goes as text, in one piece with the head; only whether there may be one is checked here.
    const anyBody = request.body === undefined ? undefined : noBytes;
    const parts = checkRequest(request.method, request.headers, anyBody);
    if (!parts.ok) return parts;
    for (let hops = 0; ; hops++) {
      let response: IncomingMessage;
      try {
        const { body, signal } = request;
        response = await once({ url: home, parts: parts.parts, body, agent, signal });
      } catch (error) {
        if (error instanceof Refused) return error.refusal;
        if (request.signal.aborted) return aborted();
        return networkError(error);
      }
      const status = response.statusCode ?? 0;
      const next = nextOf(home, status, response.headers.location);
      if (next === undefined || hops >= maxRedirects)
        return { ok: true, status, headers: headersOf(response), body: bodyOf(response) };
      response.destroy();
      // Credentials go only where the configuration says.
      if (next.origin !== start.origin)
        return refuse(
          "bad_redirect",
          `It answered with a redirect to ${next.origin}, which is not followed: its credentials belong to ${start.origin}.`,
          "Write the new address into the configuration if it is the right one.",
        );
      home = next;
    }
  };
  return { ok: true, client: { send, close: () => agent.destroy() } };
}

/** Only those that keep method and body; any other is an answer. */
function nextOf(from: URL, status: number, location: string | undefined): URL | undefined {
  if ((status !== 307 && status !== 308) || location === undefined) return undefined;
  const next = checkUrl(location, from);
  return next.ok ? next.url : undefined;
}

const noBytes = new Uint8Array();

/** By events: an async iterator over each answer costs more than all the rest of a small one. */
function bodyOf(response: IncomingMessage): OriginBody {
  return {
    read: (take) =>
      new Promise((resolve, reject) => {
        const brokenOff = (): void => {
          if (!response.readableEnded) reject(new Error("broken off"));
        };
        response.on("data", (chunk: Buffer) => {
          try {
            take(chunk);
          } catch (error) {
            reject(error);
            response.destroy();
          }
        });
        response.on("end", resolve);
        response.on("close", brokenOff);
        if (response.destroyed) brokenOff();
      }),
    destroy: () => void response.destroy(),
    skip: () => void response.resume(),
  };
}

interface Sending {
  readonly url: URL;
  readonly parts: RequestParts;
  readonly body: string | undefined;
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

function once({ url, parts, body, agent, signal }: Sending): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = openRequest({
      url,
      parts,
      // A packed stream would wait for the packer, and could unpack to any size.
      fields: { "accept-encoding": "identity" },
      bodyBytes: body === undefined ? undefined : Buffer.byteLength(body),
      // The agent keeps books by host and port; `CheckedAgent` makes and encrypts the connection.
      how: { agent, host: url.hostname, port: portOf(url), maxHeaderSize: maxHeaderBytes },
      reject,
    });
    const stopListening = onAbort(signal, () => request.destroy(new Error("aborted")));
    let isAnswered = false;
    request.on("response", (response) => {
      isAnswered = true;
      response.on("error", () => {});
      resolve(response);
    });
    // With the whole answer, too: until then the signal ends it.
    request.on("close", () => {
      stopListening();
      if (!isAnswered) reject(new Error("closed before an answer"));
    });
    request.end(body);
  });
}

class Refused extends Error {
  readonly refusal: FetchRefusal;

  constructor(refused: FetchRefusal) {
    super(refused.message);
    this.refusal = refused;
  }
}

/** Looks the host up and judges the answer for every new connection. */
class CheckedAgent extends Agent {
  readonly #url: URL;
  readonly #connectTimeoutMs: number;
  readonly #ca: string | undefined;

  constructor(url: URL, { maxConnections = 64, connectTimeoutMs = 10_000, ca }: OriginClientOptions) {
    super({
      keepAlive: true,
      maxSockets: maxConnections,
      maxFreeSockets: 16,
      scheduling: "lifo",
      // Shorter than servers keep idle connections: a request on one that is being closed would be lost.
      timeout: idleConnectionMs,
    });
    this.#url = url;
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#ca = ca;
  }

  override createConnection(
    _options: unknown,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    // Of a failure there is no stream.
    const fail = callback as ((error: Error) => void) | undefined;
    this.#connect().then(
      (socket) => callback?.(null, socket),
      (error: Error) => fail?.(error),
    );
  }

  async #connect(): Promise<Duplex> {
    const listed = [`${this.#url.hostname}:${portOf(this.#url)}`];
    const admitted = await admit(this.#url, listed, systemResolve, judgeAddress);
    if (!admitted.ok) throw new Refused(admitted);
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), this.#connectTimeoutMs);
    try {
      const { addresses } = admitted;
      const socket = await dial({ url: this.#url, addresses, signal: ending.signal, ca: this.#ca });
      socket.setNoDelay(true);
      return socket;
    } catch (error) {
      if (ending.signal.aborted)
        throw new Refused(
          refuse(
            "timed_out",
            `No connection to ${this.#url.host} within ${exactDuration(this.#connectTimeoutMs)}.`,
            "Check the host, the port and the network.",
          ),
        );
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

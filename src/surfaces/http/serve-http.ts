/** The HTTP server: listens, hands requests to `handleRequest`, and ends without losing an answer. */
/// <reference lib="esnext.disposable" preserve="true" />
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { messageOf } from "../../core/call/errors.ts";
import type { Clock } from "../../core/ports/ports.ts";
import { countDescriptors, type Descriptors } from "../../safe/process/descriptors.ts";
import { answerBadRequest } from "./bad-request.ts";
import { createCallerLimits } from "./caller-limits.ts";
import { bracketed, type Names, namesOf } from "./check-origin.ts";
import { Connections, connectionLimits } from "./connections.ts";
import { Exchange, Exchanges } from "./exchange.ts";
import { handleRequest, type RequestParts } from "./handle-request.ts";
import { createMatchRoute } from "./match-route.ts";
import { prepareRoute } from "./prepare-route.ts";
import { problem } from "./problem.ts";
import type { AnyRoute } from "./route.ts";
import { defaultServerLimits, type ServerLimits } from "./server-limits.ts";
import type { HttpParts, Served, ServerState } from "./server-parts.ts";
import { writeAnswer } from "./write-answer.ts";

export interface ServeOptions<Parts extends HttpParts = HttpParts> {
  readonly parts: Parts;
  readonly routes: readonly AnyRoute<Parts & Served>[];
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Names that the server answers to besides its own address. */
  readonly hosts?: readonly string[];
  /** Origins whose pages may ask besides its own. */
  readonly origins?: readonly string[];
  readonly limits?: Partial<ServerLimits>;
  /** Default: the file descriptors of this process. */
  readonly descriptors?: Descriptors;
  /** Where clients learn how to get a token (RFC 9728). */
  readonly resourceMetadata?: string | undefined;
  /** Something of ours broke. */
  readonly onBroken?: (message: string) => void;
}

export interface HttpServer<Parts extends HttpParts = HttpParts> extends AsyncDisposable {
  /** `http://127.0.0.1:4655` */
  readonly url: string;
  readonly port: number;
  readonly parts: Parts & Served;
  /** Takes no new requests, closes the gate, and waits at most `drainMs` for what runs. */
  close(options?: { readonly drainMs?: number }): Promise<CloseReport>;
}

export interface CloseReport {
  /** Requests that had to be cancelled. */
  readonly cancelled: number;
}

/** Rejects with the system's error if the server cannot listen. */
export async function serveHttp<Parts extends HttpParts>(
  options: ServeOptions<Parts>,
): Promise<HttpServer<Parts>> {
  const { tls, host = "127.0.0.1", onBroken = () => {} } = options;
  const limits: ServerLimits = { ...defaultServerLimits, ...options.limits };
  const scheme = tls === undefined ? "http" : "https";
  const exchanges = new Exchanges();
  const closing = new AbortController();
  const { clock } = options.parts;
  const callerLimits = createCallerLimits(limits, clock.monotonic);
  let url = "";
  let names: Names = { hosts: new Set(), origins: new Set() };
  const connections = new Connections(
    connectionLimits(limits, options.descriptors ?? countDescriptors()),
    clock,
  );
  const state: ServerState = {
    startedAt: clock.now(),
    get url() {
      return url;
    },
    get isReady() {
      return !closing.signal.aborted;
    },
    closing: closing.signal,
    get openConnections() {
      return connections.open;
    },
    get requestsInFlight() {
      return exchanges.size - callerLimits.streams;
    },
    get openStreams() {
      return callerLimits.streams;
    },
  };
  const parts = { ...options.parts, server: state, routes: options.routes };
  const metadata = options.resourceMetadata;
  const requestParts: RequestParts = {
    tokens: parts.tokens,
    server: state,
    limits,
    callerLimits,
    matchRoute: createMatchRoute(options.routes.map((route) => prepareRoute(route, parts))),
    names: () => names,
    challenge: `Bearer realm="toolgate"${metadata === undefined ? "" : `, resource_metadata="${metadata}"`}`,
    onBroken,
  };
  const writing = { isTls: tls !== undefined, sendTimeoutMs: limits.sendTimeoutMs, closing: closing.signal };

  const onRequest = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const connection = connections.begin(incoming.socket);
    // A refused connection has its answer already.
    if (connection?.isRefused === true) return;
    const exchange = new Exchange(outgoing, clock.monotonic());
    exchanges.add(exchange);
    outgoing.once("close", () => {
      if (connection !== undefined) connections.end(connection, exchange.hadToken);
      exchange.end();
      exchanges.remove(exchange);
      parts.metrics.observeRequest({
        method: incoming.method ?? "",
        route: exchange.route,
        status: outgoing.statusCode,
        durationMs: clock.monotonic() - exchange.startedAt,
      });
    });
    // A socket that breaks is a client that left; `close` follows.
    outgoing.on("error", () => {});
    try {
      const answer = await handleRequest(incoming, exchange, requestParts);
      if (answer === undefined || outgoing.destroyed) return;
      const close = !exchange.bodyIsRead || closing.signal.aborted;
      await writeAnswer(outgoing, answer, { ...writing, close });
    } catch (error) {
      onBroken(messageOf(error));
      if (outgoing.headersSent) outgoing.destroy();
      else await writeAnswer(outgoing, problem("internal", "The server broke."), { ...writing, close: true });
    }
  };

  const server = createListener(options.tls, limits);
  server.on("request", onRequest);
  // Refused before the client has sent its body.
  server.on("checkContinue", onRequest);
  server.on("clientError", answerBadRequest);
  server.on("connection", (socket: Socket) => connections.add(socket, tls !== undefined));
  await listen(server, host, options.port);
  const { port } = server.address() as AddressInfo;
  url = `${scheme}://${bracketed(host)}:${port}`;
  names = namesOf({ scheme, host, port, hosts: options.hosts ?? [], origins: options.origins ?? [] });

  let ended: Promise<CloseReport> | undefined;
  const close = ({ drainMs = 10_000 }: { readonly drainMs?: number } = {}) => {
    ended ??= end({ server, exchanges, closing, ...options.parts }, drainMs).finally(() =>
      connections.close(),
    );
    return ended;
  };
  return { url, port, parts, close, [Symbol.asyncDispose]: async () => void (await close()) };
}

function createListener(tls: ServeOptions["tls"], limits: ServerLimits): Server {
  const options = {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    // The default looks at slow connections only twice a minute.
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: 16 * 1024,
    // Ours to refuse, with an answer like every other.
    requireHostHeader: false,
    noDelay: true,
  };
  const server =
    tls === undefined
      ? createServer(options)
      : createTlsServer({ ...options, ...tls, handshakeTimeout: limits.headersTimeoutMs });
  // `Connections` refuses connections that are too many, with an answer.
  server.maxHeadersCount = 100;
  return server;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, exclusive: true, backlog: 1_024 }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** How long a cancelled call has to end its processes and to say so. */
const afterCancelMs = 3_000;

interface Ending extends Pick<HttpParts, "gate" | "clock"> {
  readonly server: Server;
  readonly exchanges: Exchanges;
  readonly closing: AbortController;
}

async function end(ending: Ending, drainMs: number): Promise<CloseReport> {
  const { server, exchanges, closing, gate, clock } = ending;
  closing.abort();
  server.close();
  server.closeIdleConnections();
  exchanges.letGoUnread();
  // The gate takes no new calls. Calls that wait for a person end now, with an answer that says so.
  const drained = Promise.all([gate.close(), exchanges.whenEmpty()]);
  let cancelled = 0;
  if (!(await endsWithin(drained, drainMs, clock))) {
    cancelled = exchanges.size;
    exchanges.cancelAll();
    await endsWithin(drained, afterCancelMs, clock);
  }
  // The connections that are left have asked for nothing, or could not be ended.
  server.closeAllConnections();
  return { cancelled };
}

/** False: the work takes longer. */
export function endsWithin(ending: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve(false));
    const done = () => {
      cancel();
      resolve(true);
    };
    ending.then(done, done);
  });
}

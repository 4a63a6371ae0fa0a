/** The HTTP server: listens, hands requests over to be answered, and ends without losing an answer. */
/// <reference lib="esnext.disposable" preserve="true" />
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { countDescriptors, type Descriptors } from "../../safe/process/descriptors.ts";
import { type Answering, type CloseReport, createAnswering } from "./answer-requests.ts";
import { answerBadRequest } from "./bad-request.ts";
import { bracketed, type Names, namesOf } from "./check-origin.ts";
import { Connections, connectionLimits } from "./connections.ts";
import type { AnyRoute } from "./route.ts";
import { defaultServerLimits, type ServerLimits } from "./server-limits.ts";
import type { HttpParts, Served } from "./server-parts.ts";
import type { Site } from "./site/site.ts";

export type { CloseReport } from "./answer-requests.ts";

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
  /** Pages for people, besides the routes. */
  readonly site?: Site | undefined;
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

/** Rejects with the system's error if the server cannot listen. */
export async function serveHttp<Parts extends HttpParts>(
  options: ServeOptions<Parts>,
): Promise<HttpServer<Parts>> {
  const { tls, host = "127.0.0.1", onBroken = () => {} } = options;
  const limits: ServerLimits = { ...defaultServerLimits, ...options.limits };
  const scheme = tls === undefined ? "http" : "https";
  let url = "";
  let names: Names = { hosts: new Set(), origins: new Set() };
  const connections = new Connections(
    connectionLimits(limits, options.descriptors ?? countDescriptors()),
    options.parts.clock,
  );
  const answering = createAnswering({
    parts: options.parts,
    routes: options.routes,
    limits,
    site: options.site,
    names: () => names,
    isTls: () => tls !== undefined,
    url: () => url,
    openConnections: () => connections.open,
    resourceMetadata: options.resourceMetadata,
    onBroken,
  });
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const connection = connections.begin(incoming.socket);
    // A refused connection has its answer already.
    if (connection?.isRefused === true) return;
    void answering.answer(incoming, outgoing, ({ hadToken }) => {
      if (connection !== undefined) connections.end(connection, hadToken);
    });
  };

  const server = createListener(options.tls, limits);
  server.on("request", onRequest);
  // Refused before the client has sent its body.
  server.on("checkContinue", onRequest);
  server.on("clientError", answerBadRequest);
  server.on("timeout", closeUnlessAsked);
  server.on("connection", (socket: Socket) => connections.add(socket, tls !== undefined));
  await listen(server, host, options.port);
  const { port } = server.address() as AddressInfo;
  url = `${scheme}://${bracketed(host)}:${port}`;
  names = namesOf({ scheme, host, port, hosts: options.hosts ?? [], origins: options.origins ?? [] });

  let ended: Promise<CloseReport> | undefined;
  const close = ({ drainMs = 10_000 }: { readonly drainMs?: number } = {}) => {
    ended ??= end({ server, answering, gate: options.parts.gate }, drainMs).finally(() =>
      connections.close(),
    );
    return ended;
  };
  return {
    url,
    port,
    parts: answering.parts,
    close,
    [Symbol.asyncDispose]: async () => void (await close()),
  };
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

/**
 * A connection that was kept has waited long enough. Timers come before what was received: what the client asked
 * while the process stood still is read first.
 */
function closeUnlessAsked(socket: Socket): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) socket.destroy();
  });
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

interface Ending extends Pick<HttpParts, "gate"> {
  readonly server: Server;
  readonly answering: Pick<Answering<HttpParts>, "stop" | "end">;
}

async function end({ server, answering, gate }: Ending, drainMs: number): Promise<CloseReport> {
  answering.stop();
  server.close();
  server.closeIdleConnections();
  // The gate takes no new calls. Calls that wait for a person end now, with an answer that says so.
  const report = await answering.end(drainMs, gate.close());
  // The connections that are left have asked for nothing, or could not be ended.
  server.closeAllConnections();
  return report;
}

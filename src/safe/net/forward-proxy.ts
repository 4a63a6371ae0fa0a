/**
 * A proxy on loopback for a browser that has no other way out: each connection goes to an address that was
 * checked at that moment, so a name that changes its address, a redirect or a socket leads nowhere else.
 */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { checkUrl, portOf } from "./check-url.ts";
import { type AllowPrivate, admit, dial, type Resolve, systemResolve } from "./connect.ts";
import { networkError } from "./failure.ts";
import { areAllPublic, judgeAddress } from "./public-address.ts";
import { type FetchRefusal, refuse } from "./refusal.ts";

export interface ForwardProxyOptions {
  /** The same as for a fetch. */
  readonly allowPrivate: AllowPrivate;
  /**
   * What else speaks against a connection, as a text. The URL is whole for http, else that of the origin.
   * `isPrivate`: it leads into one's own network, which `allowPrivate` opens.
   */
  readonly mayConnect?: (url: string, isPrivate: boolean) => Promise<string | undefined>;
  /** Told about each connection that was refused, with its `host:port`. */
  readonly onRefused: (host: string, refusal: FetchRefusal) => void;
  readonly resolve?: Resolve;
}

export interface ForwardProxy {
  readonly port: number;
  /** Cuts what is open. */
  close(): Promise<void>;
}

const connectMs = 20_000;
const maxConnections = 256;

export async function createForwardProxy(options: ForwardProxyOptions): Promise<ForwardProxy> {
  const closing = new AbortController();
  const open = new Set<Duplex>();
  const server = createServer({ insecureHTTPParser: false });
  server.maxConnections = maxConnections;
  server.on("connection", (socket) => keep(socket, open));
  server.on("request", (request, response) => {
    void forward(request, response, closing.signal, options);
  });
  server.on("connect", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    void tunnel(request, { socket, head, open, signal: closing.signal }, options);
  });
  // A browser asks for sockets by CONNECT.
  server.on("upgrade", (_request, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      closing.abort();
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A plain request: `GET http://host/path`. Anything else was not sent by a browser that knows its proxy. */
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
  options: ForwardProxyOptions,
): Promise<void> {
  request.on("error", () => {});
  response.on("error", () => {});
  const url = checkUrl(request.url ?? "");
  if (!url.ok || url.url.protocol !== "http:") {
    response.writeHead(400, { connection: "close" }).end();
    return;
  }
  const socket = await connect(url.url, url.url.href, closing, options);
  if (socket === undefined) {
    // The same for every reason: a page must not learn what is there and what is not.
    response.writeHead(502, { connection: "close" }).end();
    return;
  }
  const onward = httpRequest({
    createConnection: () => socket,
    method: request.method,
    path: url.url.pathname + url.url.search,
    setHost: false,
    headers: { ...endToEnd(request.headers), host: url.url.host, connection: "close" },
    insecureHTTPParser: false,
  });
  const giveUp = () => {
    socket.destroy();
    response.destroy();
  };
  onward.on("error", giveUp);
  onward.on("upgrade", giveUp);
  onward.on("response", (answer) => {
    answer.on("error", giveUp);
    response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
    answer.pipe(response);
  });
  response.on("close", () => socket.destroy());
  request.pipe(onward);
}

interface Asked {
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly open: Set<Duplex>;
  readonly signal: AbortSignal;
}

async function tunnel(
  request: IncomingMessage,
  { socket, head, open, signal }: Asked,
  options: ForwardProxyOptions,
): Promise<void> {
  socket.on("error", () => socket.destroy());
  const url = checkUrl(`http://${request.url ?? ""}`);
  if (!url.ok || url.url.pathname !== "/" || url.url.search !== "" || url.url.hash !== "") {
    socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n");
    return;
  }
  // Nobody can see whether it becomes https or a socket. Rules speak about https.
  const origin = portOf(url.url) === 80 ? url.url.href : new URL(`https://${url.url.host}/`).href;
  const onward = await connect(url.url, origin, signal, options);
  if (onward === undefined) {
    socket.end("HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\n");
    return;
  }
  if (socket.destroyed) {
    onward.destroy();
    return;
  }
  keep(onward, open);
  onward.on("error", () => socket.destroy());
  onward.on("close", () => socket.destroy());
  socket.on("close", () => onward.destroy());
  socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
  onward.write(head);
  socket.pipe(onward);
  onward.pipe(socket);
}

/** `url` is one of http, also for a tunnel: what is encrypted in it is the browser's affair. */
async function connect(
  url: URL,
  shown: string,
  closing: AbortSignal,
  options: ForwardProxyOptions,
): Promise<Socket | undefined> {
  const { allowPrivate, mayConnect, onRefused, resolve = systemResolve } = options;
  const host = `${url.hostname}:${portOf(url)}`;
  const signal = AbortSignal.any([closing, AbortSignal.timeout(connectMs)]);
  try {
    const admitted = await admit(url, allowPrivate, resolve, judgeAddress);
    if (!admitted.ok) {
      onRefused(host, admitted);
      return undefined;
    }
    const objection = await mayConnect?.(shown, !areAllPublic(admitted.addresses));
    if (objection !== undefined) {
      onRefused(host, refuse("blocked_address", objection, "Ask for something else."));
      return undefined;
    }
    return await dial({ url, addresses: admitted.addresses, signal });
  } catch (error) {
    if (!closing.aborted) onRefused(host, networkError(error));
    return undefined;
  }
}

function keep(socket: Duplex, open: Set<Duplex>): void {
  open.add(socket);
  socket.once("close", () => open.delete(socket));
}

const ofOneConnection = new Set([
  ...["connection", "proxy-connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"],
  ...["proxy-authorization", "proxy-authenticate", "http2-settings"],
]);

function endToEnd(headers: IncomingMessage["headers"]): NodeJS.Dict<string | string[]> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofOneConnection.has(name)));
}

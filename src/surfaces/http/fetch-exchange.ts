/** A `Request` and its `Response` in the form of `node:http`, so that both are answered by one path. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable, Writable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";

export interface FetchExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** As soon as status and headers are known; its body follows. Rejects when there will be none. */
  readonly response: Promise<Response>;
}

export function createFetchExchange(request: Request): FetchExchange {
  const outgoing = new ResponseWriter();
  // The client left.
  const leave = () => outgoing.destroy();
  request.signal.addEventListener("abort", leave, { once: true });
  outgoing.once("close", () => request.signal.removeEventListener("abort", leave));
  if (request.signal.aborted) leave();
  return {
    // Only what the server uses of either is there: the tests of the routes run through both forms.
    incoming: incomingOf(request) as unknown as IncomingMessage,
    outgoing: outgoing as unknown as ServerResponse,
    response: outgoing.response,
  };
}

function incomingOf(request: Request) {
  const url = new URL(request.url);
  const isTls = url.protocol === "https:";
  const headers: Record<string, string> = Object.fromEntries(request.headers);
  // Servers make the address of the Host header, and some keep it only there.
  headers.host ??= url.host;
  const body = request.body as NodeStream<Uint8Array> | null;
  if (body !== null && headers["content-length"] === undefined) headers["transfer-encoding"] ??= "chunked";
  const stream = body === null ? Readable.from([]) : Readable.fromWeb(body);
  const incoming = Object.assign(stream, {
    method: request.method,
    url: `${url.pathname}${url.search}`,
    headers,
    rawHeaders: Object.entries(headers).flat(),
    trailers: {},
    complete: false,
    socket: { localPort: Number(url.port) || (isTls ? 443 : 80), encrypted: isTls },
  });
  stream.once("end", () => {
    incoming.complete = true;
  });
  return incoming;
}

/** What `ServerResponse` is for the server: writes into the body of a `Response`. */
class ResponseWriter extends Writable {
  readonly response: Promise<Response>;
  readonly #answer: (response: Response) => void;
  readonly #fail: (why: Error) => void;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Goes on when the client has taken what is there. */
  #waiting: (() => void) | undefined;
  statusCode = 200;
  headersSent = false;
  sendDate = true;
  readonly socket = null;

  constructor() {
    super({ decodeStrings: true });
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    this.response = promise;
    this.#answer = resolve;
    this.#fail = reject;
    // Whoever asked may be gone.
    promise.catch(() => {});
  }

  writeHead(status: number, headers: readonly string[] = []): this {
    this.statusCode = status;
    this.headersSent = true;
    const told = new Headers();
    for (let index = 0; index < headers.length; index += 2)
      // Whether the connection stays open is decided by the server around us.
      if (headers[index] !== "connection") told.append(headers[index] as string, headers[index + 1] ?? "");
    // Bytes, not pieces: an answer that fits is out of our hands before anybody reads it.
    const strategy = new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 });
    const source = {
      start: (controller: ReadableStreamDefaultController<Uint8Array>) => {
        this.#body = controller;
      },
      pull: () => this.#goOn(),
      // The client left.
      cancel: () => {
        this.#body = undefined;
        this.destroy();
      },
    };
    const stream = new ReadableStream<Uint8Array>(source, strategy);
    this.#answer(new Response(stream, { status, headers: told }));
    return this;
  }

  /** Nothing goes ahead of the answer here. */
  flushHeaders(): void {}
  writeContinue(): void {}
  writeProcessing(): void {}
  removeHeader(): void {}

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    this.#body?.enqueue(chunk);
    if ((this.#body?.desiredSize ?? 1) > 0) done();
    else this.#waiting = done;
  }

  override _final(done: () => void): void {
    this.#body?.close();
    this.#body = undefined;
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const why = error ?? new Error("The connection was closed before the answer was complete.");
    this.#body?.error(why);
    this.#body = undefined;
    this.#fail(why);
    this.#goOn();
    done(error);
  }

  #goOn(): void {
    const go = this.#waiting;
    this.#waiting = undefined;
    go?.();
  }
}

/** Messages over Streamable HTTP: one POST a message, its answers as JSON or as a stream of events that belong to it. */
import { isObject } from "../../mcp/messages.ts";
import { gatewaysHeader, gatewaysSoFar } from "../../mcp/passed-gateways.ts";
import { createSseReader } from "../../mcp/read-sse.ts";
import { createOriginClient, type OriginAnswer, type OriginBody } from "../../safe/origin-client.ts";
import { type Era, type HttpSettings, UpstreamError } from "./connection.ts";
import { HttpStatusError, isEvents, parseMessage, readAll, StaleSession } from "./http-answer.ts";
import { modernHeaders } from "./modern-headers.ts";
import { createOauthToken } from "./oauth-token.ts";
import type { Wire, WireListener, WireRequest } from "./wire.ts";

export interface HttpPlace {
  readonly name: string;
  readonly maxMessageBytes: number;
  readonly maxConnections: number;
  readonly redact: (text: string) => string;
}

const shortWaitMs = 5_000;
/** A stream that stays open after the answer that it was opened for. */
const afterAnswerMs = 500;
const defaultRetryMs = 1_000;
const maxRetryMs = 60_000;
/** In a row, of a stream that ends without an answer or cannot be opened again. */
const maxResumes = 5;

export function openHttpWire(settings: HttpSettings, place: HttpPlace, listener: WireListener): Wire {
  const made = createOriginClient({ url: settings.url, maxConnections: place.maxConnections });
  if (!made.ok)
    throw new UpstreamError(
      "unavailable",
      `The upstream server "${place.name}": ${made.message} ${made.hint}`,
    );
  return new HttpWire(settings, place, listener, made.client);
}

type Client = (ReturnType<typeof createOriginClient> & { ok: true })["client"];

class HttpWire implements Wire {
  readonly #place: HttpPlace;
  readonly #listener: WireListener;
  readonly #client: Client;
  readonly #fixed: Readonly<Record<string, string>>;
  readonly #oauth: ReturnType<typeof createOauthToken> | undefined;
  readonly #open = new Map<number, AbortController>();
  readonly #closing = new AbortController();
  #era: Era | undefined;
  #version: string | undefined;
  #session: string | undefined;

  constructor(settings: HttpSettings, place: HttpPlace, listener: WireListener, client: Client) {
    this.#place = place;
    this.#listener = listener;
    this.#client = client;
    this.#fixed = lowerCase(settings.headers ?? {});
    this.#oauth =
      settings.oauth === undefined
        ? undefined
        : createOauthToken(settings.oauth, { name: place.name, resource: settings.url });
  }

  request(json: string, request: WireRequest): void {
    const { id } = request;
    const ending = new AbortController();
    this.#open.set(id, ending);
    this.#run(json, request, ending.signal)
      .catch((error: unknown) => {
        if (this.#open.has(id) && !this.#closing.signal.aborted)
          this.#listener.failed(id, this.#asError(error));
      })
      .finally(() => this.#open.delete(id));
  }

  tell(json: string): void {
    // The modern era has nothing that is told over HTTP: who closes the stream cancels.
    if (this.#era === "modern") return;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(shortWaitMs)]);
    this.#post(json, {}, signal).then(
      (answer) => answer.body.skip(),
      // What is told is not answered, so nobody waits to hear that it was lost.
      () => {},
    );
  }

  abandon(id: number): void {
    const ending = this.#open.get(id);
    this.#open.delete(id);
    ending?.abort();
  }

  settle({ era, protocolVersion }: { readonly era: Era; readonly protocolVersion: string }): void {
    this.#era = era;
    this.#version = protocolVersion;
    if (era === "legacy") void this.#listen();
  }

  async close(): Promise<void> {
    const session = this.#session;
    this.#closing.abort();
    for (const ending of this.#open.values()) ending.abort();
    this.#open.clear();
    if (session !== undefined) {
      const answer = await this.#client.send({
        method: "DELETE",
        headers: await this.#headers({}).catch(() => this.#fixed),
        signal: AbortSignal.timeout(1_000),
      });
      if (answer.ok) answer.body.destroy();
    }
    this.#client.close();
  }

  async #run(json: string, request: WireRequest, signal: AbortSignal): Promise<void> {
    const { id, method } = request;
    const answer = await this.#post(json, { ...modernHeaders(request), ...request.headers }, signal);
    if (method === "initialize" && answer.status === 200) this.#session = answer.headers["mcp-session-id"];
    try {
      if (answer.status === 200 && isEvents(answer)) await this.#follow(answer.body, id, signal);
      else await this.#takeWhole(answer, request);
      if (this.#open.has(id) && !this.#answered.has(id))
        throw this.#problem("bad_answer", `ended its answer to ${method} without a result`);
    } finally {
      this.#answered.delete(id);
    }
  }

  /** Ids whose answer has come, until their stream is closed. */
  readonly #answered = new Set<number>();

  #hear(message: unknown, about: number | undefined): void {
    if (Array.isArray(message)) {
      for (const one of message) this.#hear(one, about);
      return;
    }
    if (!isObject(message) || message.jsonrpc !== "2.0")
      throw this.#problem("bad_answer", "sent what is no message of the protocol");
    if (about !== undefined && message.method === undefined && (message.id === about || message.id === null))
      this.#answered.add(about);
    this.#listener.message(message, about);
  }

  async #takeWhole(answer: OriginAnswer, { id, method }: WireRequest): Promise<void> {
    const { status } = answer;
    const text = await readAll(answer.body, this.#place.maxMessageBytes);
    if (text === undefined) throw this.#tooLong();
    const message = parseMessage(text);
    const hasSession = this.#session !== undefined && method !== "initialize";
    // Some say so with 400 and words only.
    if (hasSession && (status === 404 || (status === 400 && /session/i.test(text)))) throw this.#stale();
    // Errors of the protocol come with 4xx, too, and may lack the id.
    if (isObject(message) && isObject(message.error) && message.id !== id)
      this.#hear({ jsonrpc: "2.0", id, error: message.error }, id);
    else if (message !== undefined && (status === 200 || (isObject(message) && isObject(message.error))))
      this.#hear(message, id);
    else throw this.#refused(answer, text);
  }

  /** Reads events until the answer is there; a legacy stream that ends before may be continued where it stopped. */
  async #follow(first: OriginBody, id: number, signal: AbortSignal): Promise<void> {
    let body = first;
    let lastId: string | undefined;
    let retryMs = defaultRetryMs;
    for (let resumes = 0; ; resumes++) {
      const before = lastId;
      const broken = await this.#readEvents(body, id, {
        event: (given) => {
          lastId = given ?? lastId;
        },
        retry: (ms) => {
          retryMs = Math.min(ms, maxRetryMs);
        },
      });
      if (this.#answered.has(id) || !this.#open.has(id)) return;
      if (lastId !== before) resumes = 0;
      if (lastId === undefined || this.#era === "modern" || resumes >= maxResumes) {
        if (broken !== undefined) throw broken;
        return;
      }
      await sleep(retryMs, signal);
      const again = await this.#get(lastId, signal);
      if (again === undefined) return;
      body = again;
    }
  }

  /** Undefined when the stream has ended in order. */
  async #readEvents(
    body: OriginBody,
    about: number | undefined,
    told: { readonly event: (id: string | undefined) => void; readonly retry: (ms: number) => void },
  ): Promise<Error | undefined> {
    let problem: Error | undefined;
    let closing: NodeJS.Timeout | undefined;
    const reader = createSseReader({
      maxBytes: this.#place.maxMessageBytes,
      onEvent: ({ data, id }) => {
        told.event(id);
        if (data === "") return;
        const message = parseMessage(data);
        if (message === undefined)
          problem = this.#problem("bad_answer", "sent an event that is not valid JSON");
        else this.#hear(message, about);
      },
      onRetry: told.retry,
      onTooLong: () => {
        problem = this.#tooLong();
      },
    });
    try {
      await body.read((chunk) => {
        reader.push(chunk);
        if (problem !== undefined) throw problem;
        // Read to its end, so that the connection can be used again; but not for long.
        if (about !== undefined && this.#answered.has(about))
          closing ??= setTimeout(() => body.destroy(), afterAnswerMs);
      });
    } catch (error) {
      if (error instanceof UpstreamError) throw error;
      return this.#problem("unavailable", "broke off its answer");
    } finally {
      clearTimeout(closing);
    }
    return undefined;
  }

  /** What a legacy server says by itself. Many have no such stream. */
  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    let lastId: string | undefined;
    let retryMs = defaultRetryMs;
    for (let failures = 0; failures < maxResumes && !signal.aborted; failures++) {
      try {
        const body = await this.#get(lastId, signal);
        if (body === undefined) return;
        const openedAt = performance.now();
        await this.#readEvents(body, undefined, {
          event: (id) => {
            lastId = id ?? lastId;
          },
          retry: (ms) => {
            retryMs = Math.min(ms, maxRetryMs);
          },
        });
        if (performance.now() - openedAt > 10_000) failures = 0;
        await sleep(retryMs * 2 ** failures, signal);
      } catch {
        // Requests still work without it; the next one tells if the server is gone.
        if (signal.aborted) return;
        await sleep(defaultRetryMs * 2 ** failures, signal).catch(() => {});
      }
    }
  }

  async #get(lastId: string | undefined, signal: AbortSignal): Promise<OriginBody | undefined> {
    const headers = await this.#headers({
      accept: "text/event-stream",
      ...(lastId !== undefined && { "last-event-id": lastId }),
    });
    const answer = await this.#client.send({ method: "GET", headers, signal });
    if (!answer.ok) throw this.#problem("unavailable", `cannot be reached: ${answer.message}`);
    if (answer.status === 200 && isEvents(answer)) return answer.body;
    answer.body.destroy();
    return undefined;
  }

  async #post(
    json: string,
    more: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<OriginAnswer> {
    for (let tries = 0; ; tries++) {
      const token = await this.#oauth?.get();
      const headers = await this.#headers(
        { "content-type": "application/json", accept: "application/json, text/event-stream", ...more },
        token,
      );
      const answer = await this.#client.send({ method: "POST", headers, body: json, signal });
      if (!answer.ok)
        throw this.#problem("unavailable", `cannot be reached: ${answer.message} ${answer.hint}`);
      if (answer.status !== 401 || token === undefined || tries > 0) return answer;
      // Revoked before its time.
      answer.body.destroy();
      this.#oauth?.forget(token);
    }
  }

  async #headers(more: Readonly<Record<string, string>>, given?: string): Promise<Record<string, string>> {
    const token = given ?? (await this.#oauth?.get());
    return {
      ...this.#fixed,
      [gatewaysHeader]: gatewaysSoFar(),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(this.#session !== undefined && { "mcp-session-id": this.#session }),
      ...(this.#version !== undefined && { "mcp-protocol-version": this.#version }),
      ...more,
    };
  }

  #refused({ status }: OriginAnswer, text: string): UpstreamError {
    const words = this.#place.redact(text.slice(0, 2_000)).replace(/\s+/g, " ").trim().slice(0, 200);
    const hint =
      status === 401 || status === 403
        ? " Check its headers or oauth settings in the configuration."
        : status >= 300 && status < 400
          ? " It answers with a redirect; write the final address into the configuration."
          : status === 404 || status === 405
            ? " Check the address; servers that only know the old transport, HTTP with SSE, cannot be used."
            : "";
    const problem = this.#problem(
      "unavailable",
      `answered with HTTP ${status}${words === "" ? "" : `: ${words}`}`,
    );
    return new HttpStatusError(status, `${problem.message}${hint}`);
  }

  #stale(): StaleSession {
    return new StaleSession(
      "unavailable",
      `The upstream server "${this.#place.name}" has ended the session.`,
    );
  }

  #tooLong(): UpstreamError {
    const { maxMessageBytes } = this.#place;
    return this.#problem(
      "bad_answer",
      `sent a message of more than ${maxMessageBytes} bytes (the limit for one message)`,
    );
  }

  #problem(code: "unavailable" | "bad_answer", what: string): UpstreamError {
    return new UpstreamError(code, `The upstream server "${this.#place.name}" ${what}.`.replace(/\.+$/, "."));
  }

  #asError(error: unknown): UpstreamError {
    return error instanceof UpstreamError ? error : this.#problem("unavailable", "cannot be reached");
  }
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new Error("ended"));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

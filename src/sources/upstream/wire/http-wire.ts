/** Messages over Streamable HTTP: one POST for each message, answered as JSON or as a stream of events. */

import { setTimeout as sleep } from "node:timers/promises";
import { isJsonObject } from "../../../core/input/json.ts";
import { createSseReader } from "../../../core/text/read-sse.ts";
import type { Era } from "../../../mcp/eras.ts";
import { saysRpc } from "../../../mcp/messages.ts";
import type { OriginAnswer, OriginBody } from "../../../safe/net/origin-client.ts";
import { isEvents, readAll } from "../../../safe/net/read-answer.ts";
import { type Agreed, type HttpSettings, mayBeDone, UpstreamError } from "../talk/connection.ts";
import { HttpProblems, parseMessage, saysSessionIsGone } from "./http-answer.ts";
import { HttpSender } from "./http-sender.ts";
import { modernHeaders } from "./modern-headers.ts";
import type { Wire, WireListener, WirePlace, WireRequest } from "./wire.ts";

/** Where a stream that breaks off can be continued, and how long to wait before. */
interface StreamPlace {
  lastId: string | undefined;
  retryMs: number;
}

const shortWaitMs = 5_000;
/** A stream that stays open after the answer that it was opened for. */
const afterAnswerMs = 500;
const defaultRetryMs = 1_000;
const maxRetryMs = 60_000;
/** In a row, of a stream that ends without an answer or cannot be opened again. */
const maxResumes = 5;

export function openHttpWire(settings: HttpSettings, place: WirePlace, listener: WireListener): Wire {
  const problems = new HttpProblems(place);
  return new HttpWire(place, listener, problems, new HttpSender(settings, place, problems));
}

class HttpWire implements Wire {
  readonly #maxMessageBytes: number;
  readonly #listener: WireListener;
  readonly #problems: HttpProblems;
  readonly #sender: HttpSender;
  readonly #open = new Map<number, AbortController>();
  /** Ids whose answer has come, until their stream is closed. */
  readonly #answered = new Set<number>();
  readonly #closing = new AbortController();
  #era: Era | undefined;

  constructor(place: WirePlace, listener: WireListener, problems: HttpProblems, sender: HttpSender) {
    this.#maxMessageBytes = place.maxMessageBytes;
    this.#listener = listener;
    this.#problems = problems;
    this.#sender = sender;
  }

  request(json: string, request: WireRequest): void {
    const { id } = request;
    const ending = new AbortController();
    this.#open.set(id, ending);
    this.#run(json, request, ending.signal)
      .catch((error: unknown) => {
        if (this.#open.has(id) && !this.#closing.signal.aborted)
          this.#listener.failed(id, this.#problems.from(error));
      })
      .finally(() => this.#open.delete(id));
  }

  tell(json: string): void {
    // The modern era has nothing that is told over HTTP: who closes the stream cancels.
    if (this.#era === "modern") return;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(shortWaitMs)]);
    this.#sender.post(json, {}, signal).then(
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

  settle({ era, protocolVersion }: Agreed): void {
    this.#era = era;
    this.#sender.version = protocolVersion;
    if (era === "legacy") void this.#listen();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const ending of this.#open.values()) ending.abort();
    this.#open.clear();
    await this.#sender.close();
  }

  async #run(json: string, request: WireRequest, signal: AbortSignal): Promise<void> {
    const { id, method } = request;
    const answer = await this.#sender.post(
      json,
      { ...modernHeaders(request), ...request.options.headers },
      signal,
    );
    if (method === "initialize" && answer.status === 200)
      this.#sender.session = answer.headers["mcp-session-id"];
    try {
      if (answer.status === 200 && isEvents(answer)) await this.#follow(answer.body, id, signal);
      else await this.#takeWhole(answer, request);
      if (this.#open.has(id) && !this.#answered.has(id))
        throw this.#problems.of("bad_answer", `ended its answer to ${method} without a result`);
    } finally {
      this.#answered.delete(id);
    }
  }

  #hear(message: unknown, about: number | undefined): void {
    if (Array.isArray(message)) {
      for (const one of message) this.#hear(one, about);
      return;
    }
    if (!saysRpc(message)) throw this.#problems.of("bad_answer", "sent what is no message of the protocol");
    if (about !== undefined && message.method === undefined && (message.id === about || message.id === null))
      this.#answered.add(about);
    this.#listener.message(message, about);
  }

  async #takeWhole(answer: OriginAnswer, { id, method, params }: WireRequest): Promise<void> {
    const { status } = answer;
    const text = await readAll(answer.body, this.#maxMessageBytes);
    if (text === undefined) throw this.#problems.tooLong(this.#maxMessageBytes);
    const message = parseMessage(text);
    const hasSession = this.#sender.session !== undefined && method !== "initialize";
    if (hasSession && saysSessionIsGone(status, text, params)) throw this.#problems.stale();
    // Errors of the protocol come with 4xx, too, and may lack the id.
    if (isJsonObject(message) && isJsonObject(message.error) && message.id !== id)
      this.#hear({ jsonrpc: "2.0", id, error: message.error }, id);
    else if (
      message !== undefined &&
      (status === 200 || (isJsonObject(message) && isJsonObject(message.error)))
    )
      this.#hear(message, id);
    else throw this.#problems.refused(answer, text);
  }

  /** Reads events until the answer is there. A legacy stream that ends before may be continued. */
  async #follow(first: OriginBody, id: number, signal: AbortSignal): Promise<void> {
    let body = first;
    const place: StreamPlace = { lastId: undefined, retryMs: defaultRetryMs };
    for (let resumes = 0; ; resumes++) {
      const before = place.lastId;
      const broken = await this.#readEvents(body, id, place);
      if (this.#answered.has(id) || !this.#open.has(id)) return;
      if (place.lastId !== before) resumes = 0;
      if (place.lastId === undefined || this.#era === "modern" || resumes >= maxResumes) {
        if (broken !== undefined) throw broken;
        return;
      }
      await sleep(place.retryMs, undefined, { signal });
      const again = await this.#sender.events(place.lastId, signal);
      if (again === undefined) return;
      body = again;
    }
  }

  /** Undefined when the stream has ended in order. */
  async #readEvents(
    body: OriginBody,
    about: number | undefined,
    place: StreamPlace,
  ): Promise<Error | undefined> {
    let problem: Error | undefined;
    let closing: NodeJS.Timeout | undefined;
    const reader = createSseReader({
      maxBytes: this.#maxMessageBytes,
      onEvent: ({ data, id }) => {
        place.lastId = id ?? place.lastId;
        if (data === "") return;
        const message = parseMessage(data);
        if (message === undefined)
          problem = this.#problems.of("bad_answer", "sent an event that is not valid JSON");
        else this.#hear(message, about);
      },
      onRetry: (ms) => {
        place.retryMs = Math.min(ms, maxRetryMs);
      },
      onTooLong: () => {
        problem = this.#problems.tooLong(this.#maxMessageBytes);
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
      return this.#problems.of("unavailable", "broke off its answer", mayBeDone);
    } finally {
      clearTimeout(closing);
    }
    return undefined;
  }

  /** What a legacy server says by itself. Many have no such stream. */
  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    const place: StreamPlace = { lastId: undefined, retryMs: defaultRetryMs };
    for (let failures = 0; failures < maxResumes && !signal.aborted; failures++) {
      try {
        const body = await this.#sender.events(place.lastId, signal);
        if (body === undefined) return;
        const openedAt = performance.now();
        await this.#readEvents(body, undefined, place);
        if (performance.now() - openedAt > 10_000) failures = 0;
        await sleep(place.retryMs * 2 ** failures, undefined, { signal });
      } catch {
        // Requests still work without it; the next one tells if the server is gone.
        if (signal.aborted) return;
        await sleep(defaultRetryMs * 2 ** failures, undefined, { signal }).catch(() => {});
      }
    }
  }
}

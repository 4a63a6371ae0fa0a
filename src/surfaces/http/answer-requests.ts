/** Answers the requests of a server, whoever listens: our own, or one that the routes are mounted in. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { messageOf } from "../../core/call/errors.ts";
import type { Clock } from "../../core/ports/ports.ts";
import { createCallerLimits } from "./caller-limits.ts";
import type { Names } from "./check-origin.ts";
import { Exchange, Exchanges } from "./exchange.ts";
import { handleRequest, type RequestParts } from "./handle-request.ts";
import { createMatchRoute } from "./match-route.ts";
import { prepareRoute } from "./prepare-route.ts";
import { problem } from "./problem.ts";
import type { AnyRoute } from "./route.ts";
import type { ServerLimits } from "./server-limits.ts";
import type { HttpParts, Served, ServerState } from "./server-parts.ts";
import type { Site } from "./site/site.ts";
import { writeAnswer } from "./write-answer.ts";

export interface AnsweringOptions<Parts extends HttpParts> {
  readonly parts: Parts;
  readonly routes: readonly AnyRoute<Parts & Served>[];
  readonly limits: ServerLimits;
  /** Pages for people, besides the routes. */
  readonly site?: Site | undefined;
  /** By which names the server may be asked: known once it listens. */
  readonly names: (incoming: IncomingMessage) => Names;
  readonly isTls: (incoming: IncomingMessage) => boolean;
  /** What stands before every path. Default: nothing. */
  readonly prefix?: string;
  /** As a client would write it. */
  readonly url: () => string;
  readonly openConnections?: () => number;
  /** Where clients learn how to get a token (RFC 9728). */
  readonly resourceMetadata?: string | undefined;
  readonly onBroken: (message: string) => void;
}

export interface Answering<Parts> {
  readonly parts: Parts & Served;
  /** Resolves when the answer was handed over. `onEnd`: when the connection is free again. */
  answer(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    onEnd?: (exchange: Exchange) => void,
  ): Promise<void>;
  /** Takes no new requests. */
  stop(): void;
  /** Waits for what is being answered, and for `besides`; cancels it after `drainMs`. */
  end(drainMs: number, besides?: Promise<unknown>): Promise<CloseReport>;
}

export interface CloseReport {
  /** Requests that had to be cancelled. */
  readonly cancelled: number;
}

export function createAnswering<Parts extends HttpParts>(options: AnsweringOptions<Parts>): Answering<Parts> {
  const { limits, prefix = "", url, openConnections = () => 0, onBroken } = options;
  const { clock } = options.parts;
  const exchanges = new Exchanges();
  const closing = new AbortController();
  const callerLimits = createCallerLimits(limits, clock.monotonic);
  const state: ServerState = {
    startedAt: clock.now(),
    get url() {
      return url();
    },
    prefix,
    get isReady() {
      return !closing.signal.aborted;
    },
    closing: closing.signal,
    get openConnections() {
      return openConnections();
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
    site: options.site,
    names: options.names,
    challenge: `Bearer realm="toolgate"${metadata === undefined ? "" : `, resource_metadata="${metadata}"`}`,
    onBroken,
  };
  return {
    parts,
    async answer(incoming, outgoing, onEnd) {
      const exchange = new Exchange(outgoing, clock.monotonic());
      exchanges.add(exchange);
      outgoing.once("close", () => {
        onEnd?.(exchange);
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
      const writing = {
        isTls: options.isTls(incoming),
        sendTimeoutMs: limits.sendTimeoutMs,
        closing: closing.signal,
      };
      try {
        const answer = await handleRequest(incoming, exchange, requestParts);
        if (answer === undefined || outgoing.destroyed) return;
        const close = !exchange.bodyIsRead || closing.signal.aborted;
        await writeAnswer(outgoing, answer, { ...writing, close });
      } catch (error) {
        onBroken(messageOf(error));
        if (outgoing.headersSent) outgoing.destroy();
        else
          await writeAnswer(outgoing, problem("internal", "The server broke."), { ...writing, close: true });
      }
    },
    stop() {
      closing.abort();
      exchanges.letGoUnread();
    },
    async end(drainMs, besides) {
      const drained = Promise.all([besides, exchanges.whenEmpty()]);
      if (await endsWithin(drained, drainMs, clock)) return { cancelled: 0 };
      const cancelled = exchanges.size;
      exchanges.cancelAll();
      await endsWithin(drained, afterCancelMs, clock);
      return { cancelled };
    },
  };
}

/** How long a cancelled call has to end its processes and to say so. */
const afterCancelMs = 3_000;

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

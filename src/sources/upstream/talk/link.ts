/** One running server: opened, agreed with, asked in the words of its era, listened to. */

import type { JsonObject } from "../../../core/input/json.ts";
import { onAbort } from "../../../core/run/abort.ts";
import type { Era } from "../../../mcp/eras.ts";
import { rpcCodes } from "../../../mcp/messages.ts";
import { openHttpWire } from "../wire/http-wire.ts";
import { openStdioWire } from "../wire/stdio-wire.ts";
import type { Wire, WirePlace } from "../wire/wire.ts";
import { type Agreed, UpstreamError, type UpstreamPorts, type UpstreamSettings } from "./connection.ts";
import { type AskOptions, Conversation } from "./conversation.ts";
import { giveInput, needsInput } from "./input-required.ts";
import { modernMeta, type Negotiation, negotiate } from "./negotiate.ts";

export interface LinkPorts extends Pick<WirePlace, "redact" | "note" | "hiddenPaths"> {
  readonly client: UpstreamPorts["client"];
  readonly eras: readonly Era[];
  readonly onNotification: (method: string, params: JsonObject) => void;
  /** Nobody needs it any more: the start is given up. */
  readonly signal: AbortSignal;
  /** Told once, and never after `close`. */
  readonly onEnd: (why: string) => void;
  /** Given what still ends after a start that failed. */
  readonly onLeftover: (ending: Promise<void>) => void;
}

export const defaultMaxConcurrent = 128;
const defaultStartTimeoutMs = 30_000;
const defaultMaxMessageBytes = 10 * 1024 * 1024;
/** Beside the calls: lists, pings, what is cancelled, and the stream of changes. */
const spareConnections = 8;
const listenRetryMs = 1_000;
const maxListenRetryMs = 60_000;

export class Link {
  readonly agreed: Agreed;
  readonly openedAt = performance.now();
  readonly #name: string;
  readonly #wire: Wire;
  readonly #conversation: Conversation;
  /** What a modern request carries, without and with a way to ask a person. */
  readonly #meta: readonly [JsonObject, JsonObject];
  #closing: Promise<void> | undefined;
  #listening: AbortController | undefined;

  constructor({ name, wire, conversation, client }: Negotiation, agreed: Agreed) {
    this.#name = name;
    this.#wire = wire;
    this.#conversation = conversation;
    this.agreed = agreed;
    const { protocolVersion } = agreed;
    this.#meta = [modernMeta(protocolVersion, client, false), modernMeta(protocolVersion, client, true)];
  }

  get pid(): number | undefined {
    return this.#wire.pid;
  }

  /** Why it has ended. */
  get over(): string | undefined {
    return this.#conversation.over;
  }

  get inFlight(): number {
    return this.#conversation.inFlight;
  }

  get heardAt(): number {
    return this.#conversation.heardAt;
  }

  ask(method: string, params: JsonObject, options: AskOptions): Promise<JsonObject> {
    const { meta } = options;
    if (this.agreed.era === "legacy")
      return this.#conversation.request(
        method,
        meta === undefined ? params : { ...params, _meta: meta },
        options,
      );
    const own = this.#meta[options.elicit === undefined ? 0 : 1];
    const whole = { ...params, _meta: meta === undefined ? own : { ...meta, ...own } };
    const ask = (given: JsonObject): Promise<JsonObject> =>
      this.#conversation.request(method, given, options);
    return ask(whole).then((result) =>
      needsInput(result) ? giveInput(result, { name: this.#name, params: whole, options, ask }) : result,
    );
  }

  /** Whether it still answers at all. */
  async isAlive(timeoutMs: number): Promise<boolean> {
    const askedAt = performance.now();
    try {
      await this.ask(this.agreed.era === "legacy" ? "ping" : "server/discover", {}, { timeoutMs });
      return true;
    } catch (error) {
      const isAnswer = error instanceof UpstreamError && error.code === "refused_by_server";
      return isAnswer || this.heardAt > askedAt;
    }
  }

  /** Modern servers tell changes only to those who ask, in one long request; a new one replaces the last. */
  listen(uris: readonly string[], onMissed: () => void): void {
    if (this.agreed.era === "legacy") return;
    this.#listening?.abort();
    const notifications = wanted(this.agreed.capabilities, uris);
    if (notifications === undefined) return;
    const ending = new AbortController();
    this.#listening = ending;
    void this.#keepListening({ notifications }, ending.signal, onMissed);
  }

  async #keepListening(params: JsonObject, signal: AbortSignal, onMissed: () => void): Promise<void> {
    for (let retryMs = listenRetryMs; !signal.aborted; retryMs = Math.min(retryMs * 2, maxListenRetryMs)) {
      const startedAt = performance.now();
      try {
        await this.ask("subscriptions/listen", params, { signal });
      } catch (error) {
        if (error instanceof UpstreamError && error.rpcCode === rpcCodes.methodNotFound) return;
      }
      if (signal.aborted) return;
      if (performance.now() - startedAt > maxListenRetryMs) retryMs = listenRetryMs;
      await new Promise((resolve) => setTimeout(resolve, retryMs).unref());
      // Whatever changed in between was not told.
      if (!signal.aborted) onMissed();
    }
  }

  /** Everybody who waits is told; as if it had ended by itself. */
  fail(why: string): void {
    this.#conversation.ended(why);
  }

  /** Takes nothing new, but lets those who wait have their answers first. */
  async retire(): Promise<void> {
    this.#listening?.abort();
    await this.#conversation.idle();
    await this.close();
  }

  close(): Promise<void> {
    this.#listening?.abort();
    this.#closing ??= this.#wire.close();
    return this.#closing;
  }
}

/** Rejects with UpstreamError. */
export async function openLink(settings: UpstreamSettings, ports: LinkPorts): Promise<Link> {
  const { name, transport, maxConcurrent = defaultMaxConcurrent } = settings;
  const { startTimeoutMs = defaultStartTimeoutMs, maxMessageBytes = defaultMaxMessageBytes } = settings;
  const { client, eras, redact, note, hiddenPaths } = ports;
  const deadline = performance.now() + startTimeoutMs;
  let isOpen = false;
  const conversation = new Conversation({
    name,
    redact,
    onNotification: ports.onNotification,
    onEnd: (why) => {
      if (isOpen) ports.onEnd(why);
    },
  });
  const maxConnections = maxConcurrent + spareConnections;
  const place: WirePlace = { name, maxMessageBytes, maxConnections, redact, note, hiddenPaths };
  const wire =
    transport.kind === "stdio"
      ? await openStdioWire(transport, place, conversation)
      : openHttpWire(transport, place, conversation);
  conversation.carryOn(wire);
  const stopListening = onAbort(ports.signal, () =>
    conversation.ended(`The start of the upstream server "${name}" was given up.`),
  );
  try {
    const negotiation = { name, client, conversation, wire, eras, deadline, startTimeoutMs };
    const agreed = await negotiate(negotiation);
    isOpen = true;
    return new Link(negotiation, agreed);
  } catch (error) {
    ports.onLeftover(wire.close());
    throw error;
  } finally {
    stopListening();
  }
}

function wanted(capabilities: JsonObject, uris: readonly string[]): JsonObject | undefined {
  const changes = (kind: string): boolean => {
    const has = capabilities[kind];
    return typeof has === "object" && has !== null && "listChanged" in has && has.listChanged === true;
  };
  const filter = {
    ...(changes("tools") && { toolsListChanged: true }),
    ...(changes("prompts") && { promptsListChanged: true }),
    ...(changes("resources") && { resourcesListChanged: true }),
    ...(uris.length > 0 && { resourceSubscriptions: uris }),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}

/** A connection to one upstream server that looks after it: started when needed, one at a time, watched, started again with care, ended for good. */
import { createHash } from "node:crypto";
import type { JsonObject } from "../../core/json.ts";
import { isObject, rpcCodes } from "../../mcp/messages.ts";
import { createRedactor } from "../../safe/redact.ts";
import {
  type CallOptions,
  type ConnectUpstream,
  type Era,
  type RequestOptions,
  type UpstreamChange,
  type UpstreamConnection,
  UpstreamError,
  type UpstreamHealth,
  type UpstreamPorts,
  type UpstreamSettings,
  type UpstreamState,
} from "./connection.ts";
import type { AskOptions } from "./conversation.ts";
import { StaleSession } from "./http-wire.ts";
import { type Link, openLink } from "./link.ts";
import { listPages } from "./list-pages.ts";
import { argumentHeaders, type HeaderArgument, headerArguments } from "./modern-headers.ts";
import { createRestarts } from "./restarts.ts";
import { createTurns, type Turns } from "./turns.ts";

export const connectUpstream: ConnectUpstream = (settings, ports) => new Upstream(settings, ports);

const defaultTimeoutMs = 60_000;
const defaultStartTimeoutMs = 30_000;
const defaultMaxConcurrent = 128;
const defaultMaxMessageBytes = 10 * 1024 * 1024;
const maxWaiting = 4_096;
/** A call waits for a restart that is so near; else it is refused at once and says when. */
const patienceMs = 1_000;
/** Nothing heard for so long, and nothing asked: is it still there? */
const idleMs = 60_000;
const pingTimeoutMs = 5_000;
/** Who lived so long is not in a crash loop. */
const stableMs = 60_000;

class Upstream implements UpstreamConnection {
  readonly name: string;
  readonly #settings: UpstreamSettings;
  readonly #ports: UpstreamPorts;
  readonly #timeoutMs: number;
  readonly #turns: Turns;
  readonly #restarts = createRestarts();
  readonly #redact: (text: string) => string;
  readonly #listeners = new Set<(change: UpstreamChange) => void>();
  readonly #subscribed = new Map<string, number>();
  /** Of those that were given up, until nothing is left of them. A new one is not started before. */
  readonly #ending = new Set<Promise<void>>();
  /** Not used any more, but calls under way may still be answered. */
  readonly #retiring = new Map<Link, Promise<void>>();
  #headers = new Map<string, readonly HeaderArgument[]>();
  #link: Link | undefined;
  #opening: Promise<Link> | undefined;
  #era: Era | undefined;
  #last: Link | undefined;
  #starts = 0;
  #told: UpstreamState = "stopped";
  #heartbeat: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  constructor(settings: UpstreamSettings, ports: UpstreamPorts) {
    this.name = settings.name;
    this.#settings = settings;
    this.#ports = ports;
    this.#timeoutMs = settings.timeoutMs ?? defaultTimeoutMs;
    this.#turns = createTurns(settings.maxConcurrent ?? defaultMaxConcurrent, maxWaiting);
    this.#redact = ports.redact ?? createRedactor({ secrets: secretsOf(settings) }).redactText;
  }

  health(): UpstreamHealth {
    const agreed = (this.#link ?? this.#last)?.agreed;
    const pid = this.#link?.pid;
    const lastError = this.#restarts.lastError();
    const waitMs = this.#restarts.waitMs();
    return {
      state: this.#state(),
      ...(pid !== undefined && { pid }),
      ...(agreed !== undefined && {
        era: agreed.era,
        protocolVersion: agreed.protocolVersion,
        capabilities: agreed.capabilities,
        ...(agreed.serverInfo !== undefined && { serverInfo: agreed.serverInfo }),
        ...(agreed.instructions !== undefined && { instructions: agreed.instructions }),
      }),
      inFlight: this.#turns.running,
      waiting: this.#turns.waiting,
      restarts: Math.max(0, this.#starts - 1),
      ...(lastError !== undefined && { lastError }),
      ...(waitMs > 0 && { retryInMs: Math.ceil(waitMs) }),
    };
  }

  async start(options: RequestOptions = {}): Promise<void> {
    await this.#linkWithin(options, performance.now() + (options.timeoutMs ?? this.#timeoutMs));
  }

  callTool(name: string, args: JsonObject, options: CallOptions = none): Promise<JsonObject> {
    const params = { name, arguments: args };
    const wanted = this.#headers.get(name);
    if (wanted === undefined) {
      const call = this.#run("tools/call", params, options, true);
      return this.#settings.transport.kind === "stdio"
        ? call
        : this.#orWithHeaders(call, name, args, options);
    }
    return this.#run("tools/call", params, { ...options, headers: argumentHeaders(wanted, args) }, true);
  }

  async listTools(options: RequestOptions = none): Promise<readonly JsonObject[]> {
    const tools = await this.#list("tools", "tools", "tools/list", options);
    this.#headers = new Map(
      tools.flatMap(({ name, inputSchema }) => {
        const wanted = typeof name === "string" ? headerArguments(inputSchema) : [];
        return wanted.length > 0 ? [[name as string, wanted] as const] : [];
      }),
    );
    return tools;
  }

  listResources(options: RequestOptions = none): Promise<readonly JsonObject[]> {
    return this.#list("resources", "resources", "resources/list", options);
  }

  listResourceTemplates(options: RequestOptions = none): Promise<readonly JsonObject[]> {
    return this.#list("resources", "resourceTemplates", "resources/templates/list", options);
  }

  listPrompts(options: RequestOptions = none): Promise<readonly JsonObject[]> {
    return this.#list("prompts", "prompts", "prompts/list", options);
  }

  readResource(uri: string, options: CallOptions = none): Promise<JsonObject> {
    return this.#run("resources/read", { uri }, options, true);
  }

  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options: CallOptions = none,
  ): Promise<JsonObject> {
    return this.#run("prompts/get", { name, arguments: args }, options, true);
  }

  async complete(params: JsonObject, options: RequestOptions = none): Promise<JsonObject> {
    await this.start(options);
    if (!this.#has("completions"))
      throw new UpstreamError("not_supported", `The upstream server "${this.name}" completes nothing.`);
    return this.#run("completion/complete", params, options, false);
  }

  async subscribe(uri: string, options: RequestOptions = none): Promise<void> {
    await this.start(options);
    const resources = this.#link?.agreed.capabilities.resources;
    if (!isObject(resources) || resources.subscribe !== true)
      throw new UpstreamError(
        "not_supported",
        `The upstream server "${this.name}" does not tell when a resource changes.`,
      );
    const before = this.#subscribed.get(uri) ?? 0;
    this.#subscribed.set(uri, before + 1);
    if (before > 0) return;
    try {
      await this.#tellSubscription("resources/subscribe", uri, options);
    } catch (error) {
      this.#subscribed.delete(uri);
      throw error;
    }
  }

  async unsubscribe(uri: string, options: RequestOptions = none): Promise<void> {
    const before = this.#subscribed.get(uri) ?? 0;
    if (before > 1) this.#subscribed.set(uri, before - 1);
    if (before !== 1) return;
    this.#subscribed.delete(uri);
    // One that does not run has nothing to forget.
    if (this.#link !== undefined) await this.#tellSubscription("resources/unsubscribe", uri, options);
  }

  onChange(listener: (change: UpstreamChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async restart(): Promise<void> {
    await this.#opening?.catch(() => {});
    this.#drop(this.#link);
    this.#restarts.reset();
    this.#tellState();
    await Promise.all(this.#ending);
  }

  close(): Promise<void> {
    this.#closing ??= Promise.resolve().then(async () => {
      await this.#opening?.catch(() => {});
      this.#drop(this.#link);
      this.#listeners.clear();
      for (const link of this.#retiring.keys()) link.fail(`The connection to "${this.name}" was closed.`);
      await Promise.all([...this.#ending, ...this.#retiring.values()]);
    });
    return this.#closing;
  }

  /** The usual case goes straight through: it runs, and a turn is free. */
  #run(method: string, params: JsonObject, options: AskOptions, mayAsk: boolean): Promise<JsonObject> {
    const timeoutMs = options.timeoutMs ?? this.#timeoutMs;
    const link = this.#link;
    if (link === undefined || !this.#turns.take())
      return this.#runLater(method, params, options, mayAsk, timeoutMs);
    const sentAt = performance.now();
    return link.ask(method, params, { ...options, timeoutMs, mayAsk }).then(
      (result) => {
        this.#turns.give();
        if (mayAsk) this.#restarts.succeeded();
        return result;
      },
      (error: UpstreamError) => {
        this.#turns.give();
        if (!(error instanceof StaleSession)) this.#judge(link, error, sentAt);
        else {
          this.#retire(link);
          const leftMs = timeoutMs - (performance.now() - sentAt);
          // Not looked at by the server, so it may be sent again; once.
          return this.#runLater(method, params, options, mayAsk, leftMs, true);
        }
        throw error;
      },
    );
  }

  async #runLater(
    method: string,
    params: JsonObject,
    options: AskOptions,
    mayAsk: boolean,
    timeoutMs: number,
    isAgain = false,
  ): Promise<JsonObject> {
    const deadline = performance.now() + timeoutMs;
    if (!this.#turns.take()) await this.#turn(options.signal, timeoutMs);
    let link: Link | undefined;
    const sentAt = performance.now();
    try {
      link = await this.#linkWithin(options, deadline);
      const leftMs = Math.max(1, deadline - performance.now());
      const result = await link.ask(method, params, { ...options, timeoutMs: leftMs, mayAsk });
      if (mayAsk) this.#restarts.succeeded();
      return result;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw new UpstreamError("unavailable", String(error));
      if (link !== undefined) this.#judge(link, error, sentAt);
      if (!(error instanceof StaleSession) || isAgain || link === undefined) throw error;
      this.#retire(link);
    } finally {
      this.#turns.give();
    }
    return this.#runLater(method, params, options, mayAsk, deadline - performance.now(), true);
  }

  #turn(signal: AbortSignal | undefined, timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const place = this.#turns.wait(() => {
        stop();
        resolve();
      });
      const limit = this.#settings.maxConcurrent ?? defaultMaxConcurrent;
      if (place === false) {
        reject(
          new UpstreamError(
            "busy",
            `The upstream server "${this.name}" is busy: ${limit} calls run and ${maxWaiting} wait already. Try again later, or raise max_concurrent of this upstream.`,
          ),
        );
        return;
      }
      const leave = (error: UpstreamError): void => {
        stop();
        place.leave();
        reject(error);
      };
      const onAbort = (): void =>
        leave(new UpstreamError("aborted", `The call of "${this.name}" was cancelled.`));
      const timer = setTimeout(
        () =>
          leave(
            new UpstreamError(
              "timed_out",
              `The upstream server "${this.name}" was busy with ${limit} other calls for ${Math.round(timeoutMs)} ms. Try again later, or raise max_concurrent of this upstream.`,
            ),
          ),
        Math.max(1, timeoutMs),
      );
      const stop = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
      if (signal?.aborted === true) onAbort();
      else signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** The start itself goes on for others when this one no longer waits. */
  #linkWithin({ signal }: RequestOptions, deadline: number): Promise<Link> {
    if (this.#link !== undefined) return Promise.resolve(this.#link);
    const opening = this.#open();
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        clearTimeout(timer);
        reject(new UpstreamError("aborted", `The call of "${this.name}" was cancelled while it started.`));
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener("abort", onAbort);
          reject(
            new UpstreamError(
              "timed_out",
              `The upstream server "${this.name}" was still starting when the time of the call was over. Try again, or raise timeout_ms of this upstream.`,
            ),
          );
        },
        Math.max(1, deadline - performance.now()),
      );
      if (signal?.aborted === true) onAbort();
      signal?.addEventListener("abort", onAbort, { once: true });
      opening
        .finally(() => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", onAbort);
        })
        .then(resolve, reject);
    });
  }

  #open(): Promise<Link> {
    if (this.#closing !== undefined)
      return Promise.reject(new UpstreamError("closed", `The connection to "${this.name}" was closed.`));
    if (this.#opening !== undefined) return this.#opening;
    const waitMs = this.#restarts.waitMs();
    if (waitMs > patienceMs) {
      const after = `${this.#restarts.lastError()} It is tried again in ${Math.ceil(waitMs / 1_000)} s at the earliest`;
      return Promise.reject(
        new UpstreamError(
          "unavailable",
          `${after}; \`toolgate upstreams restart ${this.name}\` does so at once.`,
        ),
      );
    }
    const opening = this.#start(waitMs).finally(() => {
      if (this.#opening === opening) this.#opening = undefined;
      this.#tellState();
    });
    this.#opening = opening;
    this.#tellState();
    return opening;
  }

  async #start(waitMs: number): Promise<Link> {
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    // Never two at a time: the old one may hold a lock, a port, a file.
    await Promise.all(this.#ending);
    const key = eraKey(this.#settings);
    const { startTimeoutMs = defaultStartTimeoutMs, maxMessageBytes = defaultMaxMessageBytes } =
      this.#settings;
    const limits = {
      startTimeoutMs,
      maxMessageBytes,
      maxConcurrent: this.#settings.maxConcurrent ?? defaultMaxConcurrent,
    };
    this.#starts++;
    let link: Link | undefined;
    try {
      link = await openLink(
        this.#settings,
        limits,
        {
          client: this.#ports.client,
          ...(this.#ports.hiddenPaths !== undefined && { hiddenPaths: this.#ports.hiddenPaths }),
          redact: this.#redact,
          note: (text) => this.#ports.note?.(text),
          eras: erasToTry(this.#settings, this.#era ?? this.#ports.eras?.get(key)),
          onNotification: (method, params) => this.#takeNotification(method, params),
          onEnd: (why) => this.#ended(link, why),
        },
        (ending) => this.#track(ending),
      );
    } catch (error) {
      const known = error instanceof UpstreamError ? error : new UpstreamError("unavailable", String(error));
      this.#restarts.failed(known.message);
      throw known;
    }
    // Between the agreement and its first use.
    if (link.over !== undefined) {
      this.#restarts.failed(link.over);
      this.#track(link.close());
      throw new UpstreamError("unavailable", link.over);
    }
    this.#use(link, key);
    return link;
  }

  #use(link: Link, key: string): void {
    this.#link = link;
    this.#last = link;
    this.#era = link.agreed.era;
    this.#ports.eras?.set(key, link.agreed.era);
    if (link.pid !== undefined) {
      this.#heartbeat = setInterval(() => {
        if (this.#turns.running === 0 && performance.now() - link.heardAt > idleMs) void this.#check(link);
      }, idleMs / 2).unref();
    }
    const uris = [...this.#subscribed.keys()];
    if (link.agreed.era === "modern") link.listen(uris, () => this.#tellAll());
    // It told of it before; if it no longer does, there is nothing that a client could do about it.
    else
      for (const uri of uris)
        link.ask("resources/subscribe", { uri }, { timeoutMs: this.#timeoutMs }).catch(() => {});
  }

  /** Ended by itself, or by us because it broke the rules. */
  #ended(link: Link | undefined, why: string): void {
    if (link === undefined || this.#link !== link) return;
    if (performance.now() - link.openedAt > stableMs) this.#restarts.reset();
    this.#restarts.failed(why);
    this.#drop(link);
  }

  /** Ends it, and tells everybody who waits. */
  #drop(link: Link | undefined): void {
    if (link === undefined || !this.#leave(link)) return;
    this.#track(link.close());
    link.fail(`The connection to the upstream server "${this.name}" was closed.`);
  }

  /** Over HTTP calls do not depend on each other: those under way may still be answered. */
  #retire(link: Link): void {
    if (!this.#leave(link)) return;
    const done = link.retire().finally(() => this.#retiring.delete(link));
    this.#retiring.set(link, done);
  }

  #leave(link: Link): boolean {
    if (this.#link !== link) return false;
    this.#link = undefined;
    clearInterval(this.#heartbeat);
    this.#tellState();
    return true;
  }

  #track(ending: Promise<void>): void {
    const done = ending.catch(() => {}).finally(() => this.#ending.delete(done));
    this.#ending.add(done);
  }

  /** What a failed request says about the server. */
  #judge(link: Link, error: UpstreamError, sentAt: number): void {
    if (this.#link !== link || error instanceof StaleSession) return;
    if (error.rpcCode === rpcCodes.unsupportedVersion) {
      // Another server than the one we agreed with.
      this.#era = link.agreed.era === "modern" ? "legacy" : "modern";
      this.#retire(link);
    } else if (link.pid === undefined) {
      if (error.code === "unavailable" || error.code === "timed_out") {
        this.#restarts.failed(error.message);
        // Over HTTP there is nothing to end; but the next calls wait as long as they would for a process.
        if (this.#restarts.waitMs() > 0) this.#retire(link);
      }
    } else if (error.code === "timed_out" && link.heardAt < sentAt) void this.#check(link);
  }

  async #check(link: Link): Promise<void> {
    if (await link.isAlive(pingTimeoutMs)) return;
    if (this.#link === link) link.fail(`The upstream server "${this.name}" no longer answers and was ended.`);
  }

  async #list(
    ability: string,
    field: Parameters<typeof listPages>[1],
    method: string,
    options: RequestOptions,
  ): Promise<readonly JsonObject[]> {
    await this.start(options);
    if (!this.#has(ability)) return [];
    try {
      return await listPages(this.name, field, (params) => this.#run(method, params, options, false));
    } catch (error) {
      // A server with resources need not know templates.
      if (error instanceof UpstreamError && error.rpcCode === rpcCodes.methodNotFound) return [];
      throw error;
    }
  }

  #has(ability: string): boolean {
    return isObject(this.#link?.agreed.capabilities[ability]);
  }

  /** A modern server refuses a call without the header fields that its schema asks for; it has not run then. */
  #orWithHeaders(
    call: Promise<JsonObject>,
    name: string,
    args: JsonObject,
    options: CallOptions,
  ): Promise<JsonObject> {
    return call.catch(async (error: UpstreamError) => {
      if (error.rpcCode !== rpcCodes.headerMismatch) throw error;
      await this.listTools(options);
      const wanted = this.#headers.get(name);
      if (wanted === undefined) throw error;
      return this.#run(
        "tools/call",
        { name, arguments: args },
        { ...options, headers: argumentHeaders(wanted, args) },
        true,
      );
    });
  }

  async #tellSubscription(method: string, uri: string, options: RequestOptions): Promise<void> {
    const link = this.#link;
    if (link?.agreed.era === "modern") link.listen([...this.#subscribed.keys()], () => this.#tellAll());
    else await this.#run(method, { uri }, options, false);
  }

  #takeNotification(method: string, params: JsonObject): void {
    if (method === "notifications/tools/list_changed") this.#tell({ what: "tools" });
    else if (method === "notifications/resources/list_changed") this.#tell({ what: "resources" });
    else if (method === "notifications/prompts/list_changed") this.#tell({ what: "prompts" });
    else if (method === "notifications/resources/updated" && typeof params.uri === "string")
      this.#tell({ what: "resource-updated", uri: params.uri });
  }

  #tellAll(): void {
    for (const what of ["tools", "resources", "prompts"] as const) if (this.#has(what)) this.#tell({ what });
  }

  #state(): UpstreamState {
    if (this.#closing !== undefined) return "stopped";
    if (this.#link !== undefined) return "ready";
    if (this.#opening !== undefined) return "starting";
    if (this.#restarts.isOpen()) return "open-circuit";
    return this.#restarts.lastError() === undefined ? "stopped" : "failing";
  }

  #tellState(): void {
    const state = this.#state();
    if (state === this.#told) return;
    this.#told = state;
    this.#tell({ what: "state", state });
  }

  #tell(change: UpstreamChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

const none: CallOptions = {};

/** On stdio the other way is only tried when the server says that it does not know the first. */
function erasToTry(settings: UpstreamSettings, known: Era | undefined): readonly Era[] {
  const { era = "auto", transport } = settings;
  if (era !== "auto") return [era];
  const first = known ?? (transport.kind === "stdio" ? "legacy" : "modern");
  return first === "legacy" ? ["legacy", "modern"] : ["modern", "legacy"];
}

/** With other credentials it may be another server. */
function eraKey({ name, transport }: UpstreamSettings): string {
  return createHash("sha256")
    .update(JSON.stringify([name, transport]))
    .digest("base64url");
}

function secretsOf({ transport }: UpstreamSettings): string[] {
  if (transport.kind === "stdio") return Object.values(transport.env ?? {});
  const headers = Object.values(transport.headers ?? {});
  // `Bearer x`: the server may print the x alone.
  return [...headers, ...headers.flatMap((value) => value.split(" ")), transport.oauth?.clientSecret ?? ""];
}

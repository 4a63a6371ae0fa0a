/** A connection to one upstream server: calls, lists and subscriptions, each within its time and its turn. */
import { isJsonObject, type JsonObject } from "../../../core/input/json.ts";
import { rpcCodes } from "../../../mcp/messages.ts";
import { Supervisor } from "../supervisor.ts";
import { defaultTimeoutMs } from "../upstream-spec.ts";
import { StaleSession } from "../wire/http-answer.ts";
import { argumentHeaders, wantedHeaders } from "../wire/modern-headers.ts";
import {
  type CallOptions,
  OtherStart,
  type RequestOptions,
  type UpstreamChange,
  UpstreamError,
  type UpstreamHealth,
  type UpstreamPorts,
  type UpstreamSettings,
} from "./connection.ts";
import type { AskOptions } from "./conversation.ts";
import { defaultMaxConcurrent, type Link } from "./link.ts";
import { listPages } from "./list-pages.ts";
import { createTurns, type Turns } from "./turns.ts";

/** Nothing is started yet; throws only for settings that can never work. */
export function connectUpstream(settings: UpstreamSettings, ports: UpstreamPorts): UpstreamConnection {
  return new UpstreamConnection(settings, ports);
}

/** All methods but `health`, `onChange` and `close` start the server. They reject with UpstreamError. */
export class UpstreamConnection {
  readonly name: string;
  readonly #overHttp: boolean;
  readonly #timeoutMs: number;
  readonly #turns: Turns;
  readonly #keeper: Supervisor;
  readonly #listeners = new Set<(change: UpstreamChange) => void>();
  readonly #subscribed = new Map<string, number>();
  /** Arguments that go into header fields, by tool. */
  #headers: ReturnType<typeof wantedHeaders> = new Map();

  constructor(settings: UpstreamSettings, ports: UpstreamPorts) {
    this.name = settings.name;
    this.#overHttp = settings.transport.kind === "http";
    this.#timeoutMs = settings.timeoutMs ?? defaultTimeoutMs;
    this.#turns = createTurns(settings.name, settings.maxConcurrent ?? defaultMaxConcurrent);
    this.#keeper = new Supervisor(settings, ports, {
      onReady: (link) => this.#subscribeAgain(link),
      onNotification: (method, params) => this.#takeNotification(method, params),
      onState: (state) => this.#tell({ what: "state", state }),
    });
  }

  /** Stands for the process or session in use: another one after every start. Undefined: there is none. */
  get running(): object | undefined {
    return this.#keeper.link;
  }

  health(): UpstreamHealth {
    const { running, waiting } = this.#turns;
    return { ...this.#keeper.health(), inFlight: running, waiting };
  }

  /** Starts it if it is not running; resolves when it is ready. */
  async start(options: RequestOptions = none): Promise<void> {
    await this.#ready(options);
  }

  /** The result as the server gave it: `content`, `structuredContent`, `isError`, `_meta`. */
  callTool(name: string, args: JsonObject, options: CallOptions = none): Promise<JsonObject> {
    const call = (more: AskOptions): Promise<JsonObject> =>
      this.#run("tools/call", { name, arguments: args }, more, true);
    if (!this.#overHttp) return call(options);
    const wanted = this.#headers.get(name);
    if (wanted !== undefined) return call({ ...options, headers: argumentHeaders(wanted, args) });
    // A modern server refuses a call without the header fields that its schema asks for; it has not run then.
    return call(options).catch(async (error: UpstreamError) => {
      if (error.rpcCode !== rpcCodes.headerMismatch) throw error;
      // Its schema is not the one that was compared.
      if (options.on !== undefined) throw new OtherStart(this.name);
      await this.listTools(options);
      const found = this.#headers.get(name);
      if (found === undefined) throw error;
      return call({ ...options, headers: argumentHeaders(found, args) });
    });
  }

  /** Lists are whole, each item as the server gave it. Empty where the server has none of the kind. */
  async listTools(options: RequestOptions = none): Promise<readonly JsonObject[]> {
    const tools = await this.#list("tools", "tools", "tools/list", options);
    if (this.#overHttp) this.#headers = wantedHeaders(tools);
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

  /** `{contents}` */
  readResource(uri: string, options: CallOptions = none): Promise<JsonObject> {
    return this.#run("resources/read", { uri }, options, true);
  }

  /** `{messages, description?}` */
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options: CallOptions = none,
  ): Promise<JsonObject> {
    return this.#run("prompts/get", { name, arguments: args }, options, true);
  }

  /** `{completion}`; `params` as in `completion/complete`. */
  async complete(params: JsonObject, options: RequestOptions = none): Promise<JsonObject> {
    if (!has(await this.#ready(options), "completions"))
      throw new UpstreamError("not_supported", `The upstream server "${this.name}" completes nothing.`);
    return this.#run("completion/complete", params, options, false);
  }

  /** Counted per URI, kept over restarts. */
  async subscribe(uri: string, options: RequestOptions = none): Promise<void> {
    const { resources } = (await this.#ready(options)).agreed.capabilities;
    if (!isJsonObject(resources) || resources.subscribe !== true)
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
    if (this.#keeper.link !== undefined) await this.#tellSubscription("resources/unsubscribe", uri, options);
  }

  /** After the listener returns, lists asked for are fresh. */
  onChange(listener: (change: UpstreamChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Ends the process or session; calls in flight fail; the next call starts it anew, with a clean record. */
  restart(): Promise<void> {
    return this.#keeper.restart();
  }

  /** For good. Resolves when nothing of it is left. */
  close(): Promise<void> {
    this.#listeners.clear();
    return this.#keeper.close();
  }

  /** The usual case goes straight through: it runs, and a turn is free. */
  #run(method: string, params: JsonObject, options: AskOptions, mayAsk: boolean): Promise<JsonObject> {
    const timeoutMs = options.timeoutMs ?? this.#timeoutMs;
    const { link } = this.#keeper;
    const { on, signal, callerId, elicit, onProgress, meta, headers } = options;
    if (on !== undefined && on !== link) return Promise.reject(new OtherStart(this.name));
    // Field by field: most calls come here, and a copy of whatever there is costs twice as much.
    const asked: AskOptions = { on, signal, callerId, elicit, onProgress, meta, headers, timeoutMs, mayAsk };
    if (link === undefined || !this.#turns.take()) return this.#runLater(method, params, asked, false);
    const sentAt = performance.now();
    return link.ask(method, params, asked).then(
      (result) => {
        this.#turns.give();
        if (mayAsk) this.#keeper.succeeded();
        return result;
      },
      (error: UpstreamError) => {
        this.#turns.give();
        this.#keeper.judge(link, error, sentAt);
        if (!(error instanceof StaleSession)) throw error;
        // Not looked at by the server, so it may be sent again; once.
        const leftMs = timeoutMs - (performance.now() - sentAt);
        return this.#runLater(method, params, { ...asked, timeoutMs: leftMs }, true);
      },
    );
  }

  async #runLater(
    method: string,
    params: JsonObject,
    options: AskOptions,
    isAgain: boolean,
  ): Promise<JsonObject> {
    const { timeoutMs = this.#timeoutMs } = options;
    const deadline = performance.now() + timeoutMs;
    if (!this.#turns.take()) await this.#turns.wait(options.signal, timeoutMs);
    let link: Link | undefined;
    let sentAt = 0;
    try {
      const found = await this.#keeper.within(options, deadline);
      // While it waited for its turn, or because the session was lost.
      if (options.on !== undefined && options.on !== found) throw new OtherStart(this.name);
      link = found;
      sentAt = performance.now();
      const leftMs = Math.max(1, deadline - sentAt);
      const result = await link.ask(method, params, {
        ...options,
        timeoutMs: leftMs,
        waitedMs: timeoutMs - leftMs,
      });
      if (options.mayAsk === true) this.#keeper.succeeded();
      return result;
    } catch (error) {
      if (link !== undefined) this.#keeper.judge(link, error as UpstreamError, sentAt);
      if (!(error instanceof StaleSession) || isAgain) throw error;
    } finally {
      this.#turns.give();
    }
    return this.#runLater(method, params, { ...options, timeoutMs: deadline - performance.now() }, true);
  }

  #ready(options: RequestOptions): Promise<Link> {
    return this.#keeper.within(options, performance.now() + (options.timeoutMs ?? this.#timeoutMs));
  }

  async #list(
    ability: string,
    field: Parameters<typeof listPages>[1],
    method: string,
    options: RequestOptions,
  ): Promise<readonly JsonObject[]> {
    if (!has(await this.#ready(options), ability)) return [];
    try {
      return await listPages(this.name, field, (params) => this.#run(method, params, options, false));
    } catch (error) {
      // A server with resources need not know templates.
      if (error instanceof UpstreamError && error.rpcCode === rpcCodes.methodNotFound) return [];
      throw error;
    }
  }

  #subscribeAgain(link: Link): void {
    const uris = [...this.#subscribed.keys()];
    if (link.agreed.era === "modern") link.listen(uris, () => this.#tellAll(link));
    // It told of it before; if it no longer does, there is nothing that a client could do about it.
    else
      for (const uri of uris)
        link.ask("resources/subscribe", { uri }, { timeoutMs: this.#timeoutMs }).catch(() => {});
  }

  async #tellSubscription(method: string, uri: string, options: RequestOptions): Promise<void> {
    const { link } = this.#keeper;
    if (link?.agreed.era === "modern") this.#subscribeAgain(link);
    else await this.#run(method, { uri }, options, false);
  }

  #takeNotification(method: string, params: JsonObject): void {
    if (method === "notifications/tools/list_changed") this.#tell({ what: "tools" });
    else if (method === "notifications/resources/list_changed") this.#tell({ what: "resources" });
    else if (method === "notifications/prompts/list_changed") this.#tell({ what: "prompts" });
    else if (method === "notifications/resources/updated" && typeof params.uri === "string")
      this.#tell({ what: "resource-updated", uri: params.uri });
  }

  #tellAll(link: Link): void {
    for (const what of ["tools", "resources", "prompts"] as const) if (has(link, what)) this.#tell({ what });
  }

  #tell(change: UpstreamChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

const none: CallOptions = {};

function has({ agreed }: Link, ability: string): boolean {
  return isJsonObject(agreed.capabilities[ability]);
}

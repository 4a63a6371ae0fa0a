/** Looks after one upstream server: starts it when it is needed, watches it, starts it again, ends it. */
import type { JsonObject } from "../../core/input/json.ts";
import type { Era } from "../../mcp/eras.ts";
import { rpcCodes } from "../../mcp/messages.ts";
import { createRedactor } from "../../safe/redact/redact.ts";
import { createRestarts } from "./restarts.ts";
import { secretsOf } from "./secrets-of.ts";
import {
  type RequestOptions,
  UpstreamError,
  type UpstreamHealth,
  type UpstreamPorts,
  type UpstreamSettings,
  type UpstreamState,
} from "./talk/connection.ts";
import { eraKeyOf, erasToTry } from "./talk/era-memory.ts";
import { type Link, openLink } from "./talk/link.ts";
import { patiently } from "./talk/patiently.ts";
import { concernsEverybody, HttpStatusError, StaleSession } from "./wire/http-answer.ts";

export interface SupervisorEvents {
  /** Before anybody else uses it. */
  readonly onReady: (link: Link) => void;
  readonly onNotification: (method: string, params: JsonObject) => void;
  readonly onState: (state: UpstreamState) => void;
}

/** A call waits for a restart that is so near; else it is refused at once and says when. */
const patienceMs = 1_000;
/** Nothing heard for so long, and nothing asked: is it still there? */
const idleMs = 60_000;
const pingTimeoutMs = 5_000;
/** Who lived so long is not in a crash loop. */
const stableMs = 60_000;

export class Supervisor {
  readonly #settings: UpstreamSettings;
  readonly #ports: UpstreamPorts;
  readonly #events: SupervisorEvents;
  readonly #restarts = createRestarts();
  readonly #redact: (text: string) => string;
  readonly #eraKey: string;
  /** Of those that were given up, until nothing is left of them. A new one is not started before. */
  readonly #ending = new Set<Promise<void>>();
  /** Not used any more, but calls under way may still be answered. */
  readonly #retiring = new Map<Link, Promise<void>>();
  #link: Link | undefined;
  #last: Link | undefined;
  #opening: Promise<Link> | undefined;
  /** Gives up a start under way. */
  #startEnding = new AbortController();
  #era: Era | undefined;
  #starts = 0;
  #told: UpstreamState = "stopped";
  #heartbeat: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  constructor(settings: UpstreamSettings, ports: UpstreamPorts, events: SupervisorEvents) {
    this.#settings = settings;
    this.#ports = ports;
    this.#events = events;
    this.#redact = ports.redact ?? createRedactor({ secrets: secretsOf(settings) }).redactText;
    this.#eraKey = eraKeyOf(settings);
  }

  /** Undefined while it does not run. */
  get link(): Link | undefined {
    return this.#link;
  }

  health(): Omit<UpstreamHealth, "inFlight" | "waiting"> {
    const agreed = (this.#link ?? this.#last)?.agreed;
    const pid = this.#link?.pid;
    const lastError = this.#restarts.lastError();
    const waitMs = this.#restarts.waitMs();
    return {
      state: this.#state(),
      ...agreed,
      ...(pid !== undefined && { pid }),
      restarts: Math.max(0, this.#starts - 1),
      ...(lastError !== undefined && { lastError }),
      ...(waitMs > 0 && { retryInMs: Math.ceil(waitMs) }),
    };
  }

  /** The running one, or a new one. The start goes on for others when this caller no longer waits. */
  within({ signal }: RequestOptions, deadline: number): Promise<Link> {
    if (this.#link !== undefined) return Promise.resolve(this.#link);
    const { name } = this.#settings;
    const begin = (resolve: (link: Link) => void, reject: (error: unknown) => void) =>
      void this.#open().then(resolve, reject);
    return patiently<Link>(begin, {
      signal,
      timeoutMs: deadline - performance.now(),
      late: () =>
        new UpstreamError(
          "timed_out",
          `The upstream server "${name}" was still starting when the time of the call was over.`,
          undefined,
          "Nothing was sent. Try again in a moment; a person can raise timeout_ms of this upstream, and see with `toolgate upstreams list` how it stands.",
        ),
      left: () => new UpstreamError("aborted", `The call of "${name}" was cancelled while it started.`),
    });
  }

  /** It did what it is there for. */
  succeeded(): void {
    this.#restarts.succeeded();
  }

  /** What a failed request, sent at that time, says about the server. */
  judge(link: Link, error: UpstreamError, sentAt: number): void {
    if (this.#link !== link) return;
    if (error instanceof StaleSession) this.#retire(link);
    else if (error.rpcCode === rpcCodes.unsupportedVersion) {
      // Another server than the one we agreed with.
      this.#era = link.agreed.era === "modern" ? "legacy" : "modern";
      this.#retire(link);
    } else if (link.pid === undefined) {
      if (error.code !== "unavailable" && error.code !== "timed_out") return;
      if (error instanceof HttpStatusError && !concernsEverybody(error.status)) return;
      this.#restarts.failed(error.message);
      // Over HTTP there is nothing to end; but the next calls wait as long as they would for a process.
      if (this.#restarts.waitMs() > 0) this.#retire(link);
    } else if (error.code === "timed_out" && link.heardAt < sentAt) void this.#check(link);
  }

  /** The next caller starts it anew, with a clean record. */
  async restart(): Promise<void> {
    await this.#stopStarting();
    this.#drop(this.#link);
    this.#restarts.reset();
    this.#tellState();
    await Promise.all(this.#ending);
  }

  close(): Promise<void> {
    this.#closing ??= Promise.resolve().then(async () => {
      await this.#stopStarting();
      this.#drop(this.#link);
      for (const link of this.#retiring.keys()) link.fail(this.#closed());
      await Promise.all([...this.#ending, ...this.#retiring.values()]);
    });
    return this.#closing;
  }

  async #stopStarting(): Promise<void> {
    this.#startEnding.abort();
    await this.#opening?.catch(() => {});
    this.#startEnding = new AbortController();
  }

  #open(): Promise<Link> {
    if (this.#closing !== undefined) return Promise.reject(new UpstreamError("closed", this.#closed()));
    if (this.#opening !== undefined) return this.#opening;
    const waitMs = this.#restarts.waitMs();
    if (waitMs > patienceMs) {
      const { name } = this.#settings;
      const seconds = Math.ceil(waitMs / 1_000);
      return Promise.reject(
        new UpstreamError(
          "unavailable",
          `${sentence(this.#restarts.lastError() ?? "It failed")} It is tried again in ${seconds} s at the earliest; \`toolgate upstreams restart ${name}\` does so at once.`,
        ),
      );
    }
    const opening = this.#start(waitMs).finally(() => {
      this.#opening = undefined;
      this.#tellState();
    });
    this.#opening = opening;
    this.#tellState();
    return opening;
  }

  async #start(waitMs: number): Promise<Link> {
    const { signal } = this.#startEnding;
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    // Never two at a time: the old one may hold a lock, a port, a file.
    await Promise.all(this.#ending);
    if (signal.aborted) throw new UpstreamError("unavailable", this.#closed());
    this.#starts++;
    try {
      const link = await this.#openLink(signal);
      // Between the agreement and its first use.
      if (link.over !== undefined) {
        this.#track(link.close());
        throw new UpstreamError("unavailable", link.over);
      }
      this.#use(link);
      return link;
    } catch (error) {
      const known = error instanceof UpstreamError ? error : new UpstreamError("unavailable", String(error));
      this.#restarts.failed(known.message);
      throw known;
    }
  }

  async #openLink(signal: AbortSignal): Promise<Link> {
    const { client, hiddenPaths, eras, note } = this.#ports;
    let link: Link | undefined;
    link = await openLink(this.#settings, {
      client,
      hiddenPaths: hiddenPaths ?? [],
      redact: this.#redact,
      note: (text) => note?.(text),
      eras: erasToTry(this.#settings, this.#era ?? eras?.get(this.#eraKey)),
      onNotification: this.#events.onNotification,
      signal,
      onEnd: (why) => this.#ended(link, why),
      onLeftover: (ending) => this.#track(ending),
    });
    return link;
  }

  #use(link: Link): void {
    this.#link = link;
    this.#last = link;
    this.#era = link.agreed.era;
    this.#ports.eras?.set(this.#eraKey, link.agreed.era);
    if (link.pid !== undefined) {
      this.#heartbeat = setInterval(() => {
        if (link.inFlight === 0 && performance.now() - link.heardAt > idleMs) void this.#check(link);
      }, idleMs / 2).unref();
    }
    this.#events.onReady(link);
  }

  async #check(link: Link): Promise<void> {
    if (await link.isAlive(pingTimeoutMs)) return;
    if (this.#link === link)
      link.fail(`The upstream server "${this.#settings.name}" no longer answers and was ended.`);
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
    link.fail(this.#closed());
  }

  /** Over HTTP calls do not depend on each other: those under way may still be answered. */
  #retire(link: Link): void {
    if (link.pid !== undefined) this.#drop(link);
    else if (this.#leave(link)) {
      const done = link.retire().finally(() => this.#retiring.delete(link));
      this.#retiring.set(link, done);
    }
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

  #closed(): string {
    return `The connection to the upstream server "${this.#settings.name}" was closed.`;
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
    this.#events.onState(state);
  }
}

/** A server's last words end as they like. */
function sentence(text: string): string {
  return /[.!?\u2026]$/.test(text) ? text : `${text}.`;
}

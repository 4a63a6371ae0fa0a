/** The sessions that this process runs: opened when somebody needs them, let go of when they have ended. */
import { messageOf } from "../core/call/errors.ts";
import { activeStates, type SessionRecord, type SessionStore } from "../core/ports/sessions.ts";
import { LiveSession } from "./live-session.ts";
import type { Runner } from "./runner.ts";
import { agentCaller, agentName } from "./session-caller.ts";
import { SessionFeed } from "./session-feed.ts";
import { type SessionProblem, sessionProblem } from "./session-problem.ts";
import type { GateForFolder, SessionsOptions } from "./sessions.ts";
import { createTurnPlaces, type TurnPlaces } from "./turn-places.ts";

export interface HeldSessionsParts extends Pick<SessionsOptions, "maxRunning" | "idleMs" | "cancelGraceMs"> {
  readonly store: SessionStore;
  readonly process: string;
  readonly runners: ReadonlyMap<string, Runner>;
  readonly gateFor: (session: SessionRecord) => Promise<GateForFolder>;
  readonly newId: () => string;
  readonly tell: (message: string) => void;
}

/** Bells ring at every change; what other processes ask for can wait this long. */
const lookAfterMs = 100;
const defaultRunning = 20;
/** So many agents wait for the next message for each that may run. */
const idlePerRunning = 2;

export class HeldSessions {
  readonly #parts: HeldSessionsParts;
  readonly #opening = new Map<string, Promise<LiveSession | SessionProblem>>();
  readonly #running = new Map<string, LiveSession>();
  readonly #leaving = new Map<string, Promise<void>>();
  readonly #gates = new Map<LiveSession, GateForFolder & { readonly ok: true }>();
  readonly #feeds = new Map<string, SessionFeed>();
  /** Prompts as they were sent, by session: the store keeps them without secrets. */
  readonly #texts = new Map<string, Map<string, string>>();
  /** By depth: a turn holds its place while it waits for those that it has started. */
  readonly #places = new Map<number, TurnPlaces>();
  readonly #stopListening: () => void;
  #looking: NodeJS.Timeout | undefined;

  constructor(parts: HeldSessionsParts) {
    this.#parts = parts;
    this.#stopListening = parts.store.onChange(() => this.#lookSoon());
  }

  get(id: string): LiveSession | undefined {
    return this.#running.get(id);
  }

  readonly feedOf = (id: string): SessionFeed => {
    const feed = this.#feeds.get(id) ?? new SessionFeed(id);
    this.#feeds.set(id, feed);
    return feed;
  };

  /** Somebody who still listens hears what happens when the session goes on. */
  readonly forgetFeed = (id: string): void => {
    if (!this.#running.has(id) && this.#feeds.get(id)?.isHeard !== true) this.#feeds.delete(id);
  };

  readonly isLocal = (id: string): boolean => this.#running.has(id);

  /** For the turn that this process begins with it. */
  rememberText(id: string, promptId: string, text: string): void {
    const texts = this.#texts.get(id) ?? new Map<string, string>();
    this.#texts.set(id, texts.set(promptId, text));
  }

  forgetText(id: string, promptId: string): void {
    const texts = this.#texts.get(id);
    texts?.delete(promptId);
    if (texts?.size === 0) this.#texts.delete(id);
  }

  /** Run by this process from now on: takes what waits, and lets go when the session has ended. */
  async run(session: SessionRecord): Promise<SessionProblem | undefined> {
    let held = await this.#hold(session);
    // It may have been let go of at this very moment.
    while (!("ok" in held) && this.#running.get(session.id) !== held) held = await this.#hold(session);
    if ("ok" in held) return held;
    const one = held;
    void one
      .pump()
      .catch((error: unknown) => this.#parts.tell(`Session ${session.id}: ${messageOf(error)}`))
      .then(async () => {
        if (one.session.state === "ended" && !one.isBusy) await this.letGo(one);
        else await this.#letGoOfIdle(one);
      });
    return undefined;
  }

  /** Idle agents may be processes: when there are too many, the one that was idle longest ends. */
  async #letGoOfIdle(last: LiveSession): Promise<void> {
    const { id } = last.session;
    if (this.#running.get(id) === last) {
      this.#running.delete(id);
      this.#running.set(id, last);
    }
    const idle = [...this.#running.values()].filter((one) => !one.isBusy && one.session.state === "idle");
    const most = idlePerRunning * (this.#parts.maxRunning ?? defaultRunning);
    await Promise.all(idle.slice(0, Math.max(0, idle.length - most)).map((one) => this.letGo(one)));
  }

  /** Whoever opens the session next waits until its agent is gone. */
  letGo(one: LiveSession): Promise<void> {
    const { id } = one.session;
    if (this.#running.get(id) !== one) return this.#leaving.get(id) ?? Promise.resolve();
    this.#running.delete(id);
    this.#opening.delete(id);
    const gone = this.#close(one).finally(() => {
      if (this.#leaving.get(id) === gone) this.#leaving.delete(id);
      if (one.session.state === "ended" && !this.#opening.has(id)) this.#texts.delete(id);
      this.forgetFeed(id);
    });
    this.#leaving.set(id, gone);
    return gone;
  }

  /** Turns that run are cancelled, those that wait are not begun; all of them can be gone on with. */
  async close(): Promise<void> {
    this.#stopListening();
    clearTimeout(this.#looking);
    await Promise.allSettled([...this.#opening.values(), ...this.#leaving.values()]);
    await Promise.all(
      [...this.#running.values()].map(async (one) => {
        const { state, turn } = one.session;
        const by = "the process that ends";
        // One that has not begun yet has no turn to cancel.
        if (state === "queued") await one.cancel(by);
        else if (activeStates.includes(state)) await one.cancel(by, turn);
        await this.#close(one);
      }),
    );
  }

  #hold(session: SessionRecord): Promise<LiveSession | SessionProblem> {
    const known = this.#opening.get(session.id);
    if (known !== undefined) return known;
    const opening = this.#open(session).then((opened) => {
      if ("ok" in opened) this.#opening.delete(session.id);
      return opened;
    });
    this.#opening.set(session.id, opening);
    return opening;
  }

  async #open(session: SessionRecord): Promise<LiveSession | SessionProblem> {
    const { runners, gateFor, store, process, newId, tell, idleMs, cancelGraceMs } = this.#parts;
    const { id } = session;
    const runner = runners.get(session.runner);
    if (runner === undefined)
      return sessionProblem("unknown_runner", `There is no runner ${JSON.stringify(session.runner)} here.`);
    await this.#leaving.get(id)?.catch(() => {});
    const found = await gateFor(session);
    if (!found.ok) return sessionProblem("rules_broken", found.message);
    const caller = agentCaller(session);
    if (session.mode === "plan") await found.gate.setMode(id, "plan", caller.id);
    const one: LiveSession = new LiveSession({
      session,
      runner,
      gate: found.gate,
      caller,
      store,
      process,
      feed: this.feedOf(id),
      promptText: (promptId) => {
        const text = this.#texts.get(id)?.get(promptId);
        this.forgetText(id, promptId);
        return text;
      },
      newId,
      place: this.#placesAt(session.depth).take,
      parentBudget: () =>
        session.parent === undefined ? undefined : this.#running.get(session.parent)?.budget,
      idleMs: idleMs ?? 600_000,
      cancelGraceMs: cancelGraceMs ?? 5_000,
      onIdle: () => {
        if (!one.isBusy) this.letGo(one).catch((error: unknown) => tell(messageOf(error)));
      },
      tell,
    });
    this.#running.set(id, one);
    this.#gates.set(one, found);
    return one;
  }

  #placesAt(depth: number): TurnPlaces {
    const places = this.#places.get(depth) ?? createTurnPlaces(this.#parts.maxRunning ?? defaultRunning);
    this.#places.set(depth, places);
    return places;
  }

  /** The agent first: it could start something anew. */
  async #close(one: LiveSession): Promise<void> {
    const found = this.#gates.get(one);
    this.#gates.delete(one);
    try {
      await one.close();
      const { id, state } = one.session;
      if (state === "ended") await found?.endSession?.(agentName(id), id);
    } finally {
      found?.release?.();
    }
  }

  #lookSoon(): void {
    if (this.#running.size === 0) return;
    this.#looking ??= setTimeout(() => {
      this.#looking = undefined;
      void this.#lookForAsked().catch((error: unknown) => this.#parts.tell(messageOf(error)));
    }, lookAfterMs).unref();
  }

  /** What other processes want of the sessions that run here. */
  async #lookForAsked(): Promise<void> {
    const { store, process } = this.#parts;
    for (const id of await store.asked(process)) {
      const one = this.#running.get(id);
      const asked = (await store.get(id))?.cancelAsked;
      if (asked !== undefined) await one?.cancel(asked.by, asked.turn);
      else if (one !== undefined && !one.isBusy) void one.pump();
    }
  }
}

/** Sessions of agents: started, talked to, followed and cancelled here; each is run by the process that took it. */
/// <reference lib="esnext.disposable" preserve="true" />
import { randomBytes } from "node:crypto";
import { join, relative } from "node:path";
import type { Caller } from "../core/call/call.ts";
import { messageOf } from "../core/call/errors.ts";
import {
  activeStates,
  type NewSession,
  type SessionPage,
  type SessionQuery,
  type SessionRecord,
  type SessionStore,
} from "../core/ports/sessions.ts";
import type { Gate } from "../gate/gate.ts";
import { createMemorySessions } from "../stores/memory/memory-sessions.ts";
import { endLeftAgents } from "./end-left-agents.ts";
import { type FollowOptions, followSession } from "./follow-session.ts";
import { LiveSession } from "./live-session.ts";
import type { Runner } from "./runner.ts";
import { agentCaller } from "./session-caller.ts";
import type { SessionEvent } from "./session-event.ts";
import { SessionFeed } from "./session-feed.ts";
import { folderKey, realFolder } from "./session-folder.ts";
import { type SessionProblem, sessionProblem, unknownSession } from "./session-problem.ts";
import { readStart, type StartSession } from "./start-session.ts";
import { createTurnPlaces } from "./turn-places.ts";

export interface SessionsOptions {
  readonly runners: readonly Runner[];
  /** For sessions that name none. Default: the first that misses nothing. */
  readonly defaultRunner?: string | undefined;
  /** Default: in memory, gone with the process. */
  readonly store?: SessionStore | undefined;
  /** This process, as the store knows it. */
  readonly process?: string | undefined;
  /** The folders that sessions may work in. Default: the current folder. */
  readonly roots?: readonly string[] | undefined;
  /** The gate with the rules of a folder. Default: the one gate. Closed by whoever gives it. */
  readonly gateFor?: ((session: NewSession) => Promise<GateForFolder>) | undefined;
  /** Turns that run at the same time; others are queued. Default: 20. */
  readonly maxRunning?: number | undefined;
  /** Sessions of one owner that are not idle or ended. Default: 100. */
  readonly maxPerOwner?: number | undefined;
  /** How long an agent that has nothing to do keeps its process. Default: ten minutes. */
  readonly idleMs?: number | undefined;
  readonly cancelGraceMs?: number | undefined;
  /** Makes a work tree of the repository for a session. Undefined: nobody can. */
  readonly makeWorktree?: ((folder: string, sessionId: string) => Promise<string>) | undefined;
  /** Takes it away again, unless somebody's work would be lost. */
  readonly removeWorktree?: ((worktree: string, session: NewSession) => Promise<WorktreeEnd>) | undefined;
  readonly tell?: ((message: string) => void) | undefined;
}

export type GateForFolder =
  | { readonly ok: true; readonly gate: Gate; readonly release?: (() => void) | undefined }
  | { readonly ok: false; readonly message: string };

/** What became of a session's work tree. `kept`: it has changes, or could not be removed. */
export interface WorktreeEnd {
  readonly path: string;
  readonly state: "removed" | "kept";
  readonly why?: string | undefined;
}

export type SessionResult = { readonly ok: true; readonly session: SessionRecord } | SessionProblem;

export interface SendMessage {
  readonly text: string;
  /** Into the turn that runs, if it is still this one. */
  readonly steer?: { readonly expectedTurn: number } | undefined;
  /** Also if the session has ended. */
  readonly resume?: boolean | undefined;
  /** The same key is the same message. */
  readonly key?: string | undefined;
}

export interface Sessions extends AsyncDisposable {
  readonly runners: readonly Runner[];
  /** What a session gets that names no runner, where that is set up. */
  readonly defaultRunner: string | undefined;
  start(request: StartSession, by: Caller): Promise<SessionResult & { readonly isNew?: boolean }>;
  get(id: string): Promise<SessionRecord | undefined>;
  list(query?: SessionQuery): Promise<SessionPage>;
  items: SessionStore["items"];
  prompts: SessionStore["prompts"];
  send(id: string, message: SendMessage, by: Caller): Promise<SessionResult>;
  /** All of it, or only this turn. Done already: nothing happens. */
  cancel(id: string, by: string, options?: { readonly turn?: number | undefined }): Promise<SessionResult>;
  /** With its log; cancels it first. */
  remove(id: string, by: string): Promise<SessionResult & { readonly worktree?: WorktreeEnd | undefined }>;
  /** Leaving it changes nothing about the session. */
  events(id: string, options: FollowOptions): AsyncIterable<SessionEvent>;
  /** Cancels the turns that run here and ends the agents. The sessions can be gone on with. */
  close(): Promise<void>;
}

export async function createSessions(gate: Gate, options: SessionsOptions): Promise<Sessions> {
  const { store = createMemorySessions(), process = randomBytes(9).toString("base64url") } = options;
  const { runners, tell = () => {}, maxPerOwner = 100 } = options;
  const { gateFor = async (): Promise<GateForFolder> => ({ ok: true, gate }) } = options;
  const byName = new Map(runners.map((runner) => [runner.name, runner]));
  const live = new Map<string, Promise<LiveSession | SessionProblem>>();
  const running = new Map<string, LiveSession>();
  const leaving = new Map<string, Promise<void>>();
  const releases = new Map<LiveSession, () => void>();
  const feeds = new Map<string, SessionFeed>();
  const texts = new Map<string, string>();
  const places = createTurnPlaces(options.maxRunning ?? 20);
  let isClosed = false;

  const feedOf = (id: string) => {
    const feed = feeds.get(id) ?? new SessionFeed(id);
    feeds.set(id, feed);
    return feed;
  };
  const newId = () => randomBytes(9).toString("base64url");

  await endLeftAgents(store, tell);
  const stopListening = store.onChange(() => lookSoon());
  let looking: NodeJS.Timeout | undefined;
  /** Bells ring at every change; what others ask for can wait this long. */
  const lookSoon = () => {
    if (isClosed || running.size === 0) return;
    looking ??= setTimeout(() => {
      looking = undefined;
      void lookForAsked().catch((error: unknown) => tell(messageOf(error)));
    }, 100).unref();
  };

  async function lookForAsked(): Promise<void> {
    for (const id of await store.asked(process)) {
      const one = running.get(id);
      const asked = (await store.get(id))?.cancelAsked;
      if (asked !== undefined) await one?.cancel(asked.by, asked.turn);
      else if (one !== undefined && !one.isBusy) void one.pump();
    }
  }

  /** The session, run by this process from now on. */
  function hold(session: SessionRecord): Promise<LiveSession | SessionProblem> {
    const known = live.get(session.id);
    if (known !== undefined) return known;
    const opening = open(session).then((opened) => {
      if ("ok" in opened) live.delete(session.id);
      return opened;
    });
    live.set(session.id, opening);
    return opening;
  }

  async function open(session: SessionRecord): Promise<LiveSession | SessionProblem> {
    const runner = byName.get(session.runner);
    if (runner === undefined) return unknownRunner(session.runner);
    await leaving.get(session.id)?.catch(() => {});
    const found = await gateFor(session);
    if (!found.ok) return sessionProblem("rules_broken", found.message);
    const caller = agentCaller(session);
    if (session.mode === "plan") await found.gate.setMode(session.id, "plan", caller.id);
    const one: LiveSession = new LiveSession({
      session,
      runner,
      gate: found.gate,
      caller,
      store,
      process,
      feed: feedOf(session.id),
      promptText: (promptId) => {
        const text = texts.get(promptId);
        texts.delete(promptId);
        return text;
      },
      newId,
      // A parent holds its place while it waits for its children.
      place: session.depth > 0 ? async () => () => {} : places.take,
      idleMs: options.idleMs ?? 600_000,
      cancelGraceMs: options.cancelGraceMs ?? 5_000,
      onIdle: () => {
        if (!one.isBusy) letGo(one).catch((error: unknown) => tell(messageOf(error)));
      },
      tell,
    });
    running.set(session.id, one);
    if (found.release !== undefined) releases.set(one, found.release);
    return one;
  }

  /** Takes what waits; lets go of a session that has ended. */
  function run(one: LiveSession): void {
    void one
      .pump()
      .catch((error: unknown) => tell(`Session ${one.session.id}: ${messageOf(error)}`))
      .then(async () => {
        if (one.session.state === "ended" && !one.isBusy) await letGo(one);
      });
  }

  /** Whoever opens the session next waits until its agent is gone. */
  function letGo(one: LiveSession): Promise<void> {
    const { id } = one.session;
    if (running.get(id) !== one) return leaving.get(id) ?? Promise.resolve();
    running.delete(id);
    live.delete(id);
    const gone = one.close().finally(() => {
      releases.get(one)?.();
      releases.delete(one);
      if (leaving.get(id) === gone) leaving.delete(id);
      forgetFeed(id);
    });
    leaving.set(id, gone);
    return gone;
  }

  /** Somebody who still listens hears what happens when the session goes on. */
  function forgetFeed(id: string): void {
    if (!running.has(id) && feeds.get(id)?.isHeard !== true) feeds.delete(id);
  }

  async function start(request: StartSession, by: Caller) {
    if (isClosed) return closing();
    const parent = request.parent === undefined ? undefined : await store.get(request.parent);
    const id = `s-${newId()}`;
    const { roots, defaultRunner } = options;
    const read = await readStart(request, { id, by, parent, byName, defaultRunner, roots, gate });
    if (!read.ok) return read;
    const busy = await store.list({ owner: by.id, states: activeStates, limit: maxPerOwner });
    if (busy.sessions.length >= maxPerOwner)
      return sessionProblem("too_many", `${by.id} has ${maxPerOwner} sessions at work already.`);
    let session: NewSession = read.session;
    if (request.worktree === true) {
      if (options.makeWorktree === undefined)
        return sessionProblem("bad_request", "Nobody here can make a work tree.");
      try {
        const worktree = await options.makeWorktree(session.cwd, id);
        const cwd = realFolder(join(worktree, relative(folderKey(session.cwd), session.cwd))) ?? worktree;
        session = { ...session, worktree, cwd, folder: session.folder && worktree };
      } catch (error) {
        return sessionProblem("bad_request", `The work tree could not be made: ${messageOf(error)}`);
      }
    }
    const promptId = newId();
    texts.set(promptId, request.prompt);
    const prompt = { id: promptId, text: request.prompt, by: by.id, key: undefined };
    const created = await store.create(session, prompt, process);
    if (!created.ok || !created.isNew) {
      texts.delete(promptId);
      await dropWorktree(session);
    }
    if (!created.ok) return created.why === "folder_busy" ? folderBusy(created.holder) : keyReused();
    if (!created.isNew) return { ok: true as const, session: created.session, isNew: false };
    const one = await hold(created.session);
    if ("ok" in one) {
      const error = { code: one.code, message: one.message };
      await store.change(id, { facts: { state: "ended", end: "failed", error, process: undefined } });
      return one;
    }
    run(one);
    return { ok: true as const, session: created.session, isNew: true };
  }

  async function dropWorktree(session: NewSession): Promise<WorktreeEnd | undefined> {
    const { worktree } = session;
    if (worktree === undefined || options.removeWorktree === undefined) return undefined;
    return options
      .removeWorktree(worktree, session)
      .catch((error: unknown) => ({ path: worktree, state: "kept" as const, why: messageOf(error) }));
  }

  async function send(id: string, message: SendMessage, by: Caller): Promise<SessionResult> {
    if (isClosed) return closing();
    const { text, steer, resume = false, key } = message;
    const before = await store.get(id);
    if (before === undefined) return unknownSession(id);
    if (text.trim() === "") return sessionProblem("bad_request", "The message is empty.");
    const here = running.get(id);
    if (steer !== undefined && (here?.session.turn !== steer.expectedTurn || !here.isBusy))
      return sessionProblem("turn_changed", `Turn ${steer.expectedTurn} does not run any more.`, {
        hint: "Send the message without steer: it begins the next turn.",
      });
    // An agent that is still being ended must be gone before another one starts.
    if (before.state === "ended" && here !== undefined) await letGo(here);
    const promptId = newId();
    texts.set(promptId, text);
    const queued = await store.queuePrompt(id, { id: promptId, text, by: by.id, key }, { resume });
    if (!queued.ok) {
      texts.delete(promptId);
      if (queued.why === "unknown") return unknownSession(id);
      if (queued.why === "key_reused") return keyReused();
      if (queued.why === "too_many")
        return sessionProblem("too_many", "Too many messages wait in this session already.");
      return sessionProblem("session_ended", `Session ${id} has ended (${before.end}).`, {
        hint: "Send the message with resume to go on with it.",
      });
    }
    if (queued.prompt.id !== promptId) {
      texts.delete(promptId);
      return { ok: true, session: queued.session };
    }
    if (steer !== undefined && here !== undefined && (await here.steer(promptId, steer.expectedTurn)))
      return { ok: true, session: here.session };
    // Another process runs it, hears the bell and takes the message.
    if (before.process !== undefined && before.process !== process)
      return { ok: true, session: queued.session };
    const one = await hold(queued.session);
    if ("ok" in one) return one;
    run(one);
    return { ok: true, session: queued.session };
  }

  async function cancel(
    id: string,
    by: string,
    { turn }: { readonly turn?: number | undefined } = {},
  ): Promise<SessionResult> {
    const session = await store.get(id);
    if (session === undefined) return unknownSession(id);
    if (session.state === "ended" || (turn !== undefined && session.turn !== turn))
      return { ok: true, session };
    const here = running.get(id);
    if (here !== undefined) {
      await here.cancel(by, turn);
      if (here.session.state === "ended") await letGo(here);
      return { ok: true, session: here.session };
    }
    const isElsewhere = session.process !== undefined && session.process !== process;
    const item = {
      kind: "cancelled" as const,
      turn: session.turn,
      itemId: newId(),
      body: { by, what: "session" },
    };
    const changed = await store.change(
      id,
      isElsewhere
        ? { facts: { cancelAsked: { by, turn } } }
        : {
            facts: { state: "ended", end: "cancelled", endedAt: Date.now(), process: undefined },
            items: [item],
            dropPrompts: true,
          },
    );
    return changed.ok ? { ok: true, session: changed.session } : unknownSession(id);
  }

  async function remove(id: string, by: string) {
    const ended = await cancel(id, by);
    if (!ended.ok) return ended;
    if (!(await store.remove(id)))
      return sessionProblem("bad_request", `Session ${id} still runs in another process.`, {
        hint: "It was told to end. Try again in a moment.",
      });
    feeds.delete(id);
    return { ...ended, worktree: await dropWorktree(ended.session) };
  }

  async function close(): Promise<void> {
    isClosed = true;
    stopListening();
    clearTimeout(looking);
    await Promise.allSettled([...live.values(), ...leaving.values()]);
    await Promise.all(
      [...running.values()].map(async (one) => {
        const { state, turn } = one.session;
        if (activeStates.includes(state)) await one.cancel("the process that ends", turn);
        await one.close();
        releases.get(one)?.();
      }),
    );
  }

  return {
    runners,
    defaultRunner: options.defaultRunner,
    start,
    get: (id) => store.get(id),
    list: (query) => store.list(query),
    items: (id, page) => store.items(id, page),
    prompts: (id) => store.prompts(id),
    send,
    cancel,
    remove,
    events: (id, follow) =>
      followSession(id, follow, { store, feedOf, forgetFeed, isLocal: (one) => running.has(one) }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function closing(): SessionProblem {
  return sessionProblem("closing", "The server is ending and starts nothing new.");
}

function keyReused(): SessionProblem {
  return sessionProblem("key_reused", "This idempotency key was used for another request.");
}

function folderBusy({ id, folder }: SessionRecord): SessionProblem {
  return sessionProblem("folder_busy", `Session ${id} works in ${folder} already.`, {
    holder: id,
    hint: "Wait for it, cancel it, start with worktree: true, or in plan mode.",
  });
}

function unknownRunner(name: string): SessionProblem {
  return sessionProblem("unknown_runner", `There is no runner ${JSON.stringify(name)} here.`);
}

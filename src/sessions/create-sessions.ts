/** Sessions of agents: started, talked to, followed and cancelled here; each is run by the process that took it. */
import { randomBytes } from "node:crypto";
import { join, relative } from "node:path";
import type { Caller } from "../core/call/call.ts";
import { messageOf } from "../core/call/errors.ts";
import { isInside } from "../core/input/inside-folder.ts";
import { activeStates, type NewSession, type SessionRecord } from "../core/ports/sessions.ts";
import type { Gate } from "../gate/gate.ts";
import { createMemorySessions } from "../stores/memory/memory-sessions.ts";
import { dropWaiting, endFromOutside } from "./end-from-outside.ts";
import { endLeftAgents } from "./end-left-agents.ts";
import { followSession } from "./follow-session.ts";
import { HeldSessions } from "./held-sessions.ts";
import { folderKey, realFolder } from "./session-folder.ts";
import { type SessionProblem, sessionProblem, unknownSession } from "./session-problem.ts";
import type { SendMessage, SessionResult, Sessions, SessionsOptions, WorktreeEnd } from "./sessions.ts";
import { readStart, type StartSession } from "./start/start-session.ts";
import { createStarts } from "./start/starts.ts";

export type * from "./sessions.ts";

interface Beginning {
  readonly wanted: NewSession;
  /** Whoever counts sessions finds it in the store from now on. */
  readonly onKept: () => void;
}

export async function createSessions(gate: Gate, options: SessionsOptions): Promise<Sessions> {
  const { store = createMemorySessions(), process = newId() } = options;
  const { tell = () => {}, maxPerOwner = 100 } = options;
  const { gateFor = async () => ({ ok: true as const, gate }) } = options;
  const runners = new Map(options.runners.map((runner) => [runner.name, runner]));
  await endLeftAgents(store, tell);
  const held = new HeldSessions({ ...options, store, process, runners, gateFor, newId, tell });
  const starts = createStarts();
  let isClosed = false;

  const isTaken = async (id: string) => !/^s-[\w-]{8,64}$/.test(id) || (await store.get(id)) !== undefined;

  async function start(request: StartSession, by: Caller) {
    if (isClosed) return closing();
    const parent = request.parent === undefined ? undefined : await store.get(request.parent);
    const id = request.id ?? `s-${newId()}`;
    if (request.id !== undefined && (await isTaken(id)))
      return sessionProblem(
        "bad_request",
        `A new session cannot be called ${JSON.stringify(id.slice(0, 80))}.`,
      );
    const { roots, defaultRunner } = options;
    const read = await readStart(request, { id, by, parent, byName: runners, defaultRunner, roots, gate });
    if (!read.ok) return read;
    const { owner } = read.session;
    const place = starts.take(owner);
    try {
      const busy = await store.list({ owner, states: activeStates, limit: maxPerOwner });
      if (busy.sessions.length + place.before >= maxPerOwner)
        return sessionProblem("too_many", `${owner} has ${maxPerOwner} sessions at work already.`);
      return await begin(request, by, { wanted: read.session, onKept: place.give });
    } finally {
      place.give();
    }
  }

  async function begin(request: StartSession, by: Caller, { wanted, onKept }: Beginning) {
    let session = wanted;
    const { id } = session;
    if (request.worktree === true) {
      if (options.makeWorktree === undefined)
        return sessionProblem("bad_request", "Nobody here can make a work tree.");
      try {
        const worktree = await options.makeWorktree(session.cwd, id);
        const inside = realFolder(join(worktree, relative(folderKey(session.cwd), session.cwd)));
        // What is a folder here may be a link in the commit.
        const cwd = inside !== undefined && isInside(inside, worktree) ? inside : worktree;
        session = { ...session, worktree, cwd, folder: session.folder && worktree };
      } catch (error) {
        return sessionProblem("bad_request", `The work tree could not be made: ${messageOf(error)}`);
      }
    }
    const promptId = newId();
    held.rememberText(id, promptId, request.prompt);
    const prompt = { id: promptId, text: request.prompt, by: by.id, key: undefined };
    const created = await store.create(session, prompt, process);
    onKept();
    if (!created.ok || !created.isNew) {
      held.forgetText(id, promptId);
      await dropWorktree(session);
    }
    if (!created.ok) return created.why === "folder_busy" ? folderBusy(created.holder) : keyReused();
    if (!created.isNew) return { ok: true as const, session: created.session, isNew: false };
    const problem = await held.run(created.session);
    if (problem !== undefined) {
      const error = { code: problem.code, message: problem.message };
      const facts = { state: "ended", end: "failed", error, process: undefined } as const;
      await store.change(id, { facts, dropPrompts: true });
      return problem;
    }
    return { ok: true as const, session: created.session, isNew: true };
  }

  async function dropWorktree(session: NewSession): Promise<WorktreeEnd | undefined> {
    const { worktree, parent } = session;
    // A sub-task works in its parent's.
    if (worktree === undefined || parent !== undefined || options.removeWorktree === undefined)
      return undefined;
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
    // It worked with its parent's place, folder and budget, which others may have by now.
    if (before.parent !== undefined && before.state === "ended")
      return sessionProblem("session_ended", `Session ${id} was a sub-task and has ended (${before.end}).`, {
        hint: `Send the message to the session that started it: ${before.parent}.`,
      });
    const here = held.get(id);
    if (steer !== undefined && (here?.session.turn !== steer.expectedTurn || !here.isBusy))
      return sessionProblem("turn_changed", `Turn ${steer.expectedTurn} does not run any more.`, {
        hint: "Send the message without steer: it begins the next turn.",
      });
    const holder = activeStates.includes(before.state) ? undefined : await findHolder(before);
    if (holder !== undefined) return folderBusy(holder);
    // An agent that is still being ended must be gone before another one starts.
    if (before.state === "ended" && here !== undefined) await held.letGo(here);
    const promptId = newId();
    held.rememberText(id, promptId, text);
    const queued = await store.queuePrompt(id, { id: promptId, text, by: by.id, key }, { resume });
    if (!queued.ok) {
      held.forgetText(id, promptId);
      if (queued.why === "unknown") return unknownSession(id);
      if (queued.why === "key_reused") return keyReused();
      if (queued.why === "too_many")
        return sessionProblem("too_many", "Too many messages wait in this session already.");
      return sessionProblem("session_ended", `Session ${id} has ended (${before.end}).`, {
        hint: "Send the message with resume to go on with it.",
      });
    }
    if (queued.prompt.id !== promptId) {
      held.forgetText(id, promptId);
      return { ok: true, session: queued.session };
    }
    if (steer !== undefined && here !== undefined && (await here.steer(promptId, steer.expectedTurn)))
      return { ok: true, session: here.session };
    // Another process runs it, hears the bell and takes the message.
    if (before.process !== undefined && before.process !== process) {
      held.forgetText(id, promptId);
      return { ok: true, session: queued.session };
    }
    return (await held.run(queued.session)) ?? { ok: true, session: queued.session };
  }

  /** Who works in the folder of a session that would begin again. */
  async function findHolder({ id, folder }: SessionRecord): Promise<SessionRecord | undefined> {
    if (folder === undefined) return undefined;
    const { sessions } = await store.list({ states: activeStates, limit: 500 });
    return sessions.find((one) => one.folder === folder && one.id !== id);
  }

  async function cancel(
    id: string,
    by: string,
    { turn }: { readonly turn?: number | undefined } = {},
  ): Promise<SessionResult> {
    const session = await store.get(id);
    if (session === undefined) return unknownSession(id);
    if (turn !== undefined && session.turn !== turn) return { ok: true, session };
    if (session.state === "ended") {
      if (turn === undefined) await dropWaiting(store, session);
      return { ok: true, session };
    }
    const here = held.get(id);
    if (here !== undefined) {
      await here.cancel(by, turn);
      if (here.session.state === "ended") await held.letGo(here);
      return { ok: true, session: here.session };
    }
    const changed = await endFromOutside(store, session, { by, turn, process });
    return changed.ok ? { ok: true, session: changed.session } : unknownSession(id);
  }

  async function remove(id: string, by: string) {
    const ended = await cancel(id, by);
    if (!ended.ok) return ended;
    if (!(await store.remove(id)))
      return sessionProblem("bad_request", `Session ${id} still runs in another process.`, {
        hint: "It was told to end. Try again in a moment.",
      });
    return { ...ended, worktree: await dropWorktree(ended.session) };
  }

  async function close(): Promise<void> {
    isClosed = true;
    await held.close();
  }

  return {
    runners: options.runners,
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
      followSession(id, follow, {
        store,
        feedOf: held.feedOf,
        forgetFeed: held.forgetFeed,
        isLocal: held.isLocal,
      }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function newId(): string {
  return randomBytes(9).toString("base64url");
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
    hint: "Wait for it, cancel it, start in a work tree of its own (--worktree, worktree: true), or in plan mode (--mode plan).",
  });
}

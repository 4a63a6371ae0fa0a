/** Sessions that this process runs itself, kept in the store of the user. */
import type { Approver } from "../../../core/call/approval.ts";
import type { Caller } from "../../../core/call/call.ts";
import { ToolgateError } from "../../../core/call/errors.ts";
import { openSessions } from "../../../open/open-sessions.ts";
import { type SessionProblem, unknownSession } from "../../../sessions/session-problem.ts";
import type { SessionStreamEvent } from "../../rest/contract.ts";
import { toRunners, toSession, toView } from "../../rest/session-json.ts";
import type { CliIo } from "../terminal/io.ts";
import { createTerminalApprover } from "../terminal/terminal-approver.ts";
import { createTerminalQuestioner } from "../terminal/terminal-questioner.ts";
import { describeNotes } from "./effective-config.ts";
import type { AroundQuestion, SessionClient } from "./session-client.ts";
import { chooseTools, openToolGate, type ToolOptions } from "./tool-options.ts";

const caller: Caller = { id: "local", capabilities: ["*"] };

export async function openLocalSessions(
  options: ToolOptions,
  io: CliIo,
  aroundQuestion: AroundQuestion,
): Promise<SessionClient> {
  // Nobody is at the terminal: calls that ask are refused.
  const person = createTerminalApprover({}, io);
  const approver = person && { ...person, ask: asking(person.ask, aroundQuestion) };
  const questioner = createTerminalQuestioner(io);
  const open = await openToolGate(options, io, {
    durable: true,
    approver,
    questioner: questioner && { ask: (...asked) => aroundQuestion(async () => questioner.ask(...asked)) },
  });
  const { store } = open;
  if (store === undefined) throw new ToolgateError("Sessions need the durable store.");
  const tell = (message: string) => io.err(describeNotes([message], io));
  const own = { current: open.config, broken: [] };
  const sessions = await openSessions({
    approver: approver ?? "nobody",
    ...{ tell, own: () => own, env: io.env },
    choose: (config) => chooseTools(options, config),
    open: { ...open, store },
    // The person who runs the command says where.
    roots: [io.cwd, ...(open.config.settings.sessions?.roots ?? [])],
  });
  await open.recovered;

  async function find(id: string) {
    const session = await sessions.get(id);
    return session ?? refuse(unknownSession(id));
  }

  return {
    isServed: false,
    runners: () => toRunners(sessions),
    async start(body) {
      const started = await sessions.start({ cwd: io.cwd, ...body }, caller);
      return toSession(sure(started).session);
    },
    async list({ owner, state: states, limit, after }) {
      const { sessions: found, next } = await sessions.list({ owner, states, limit, after });
      return { sessions: found.map(toSession), ...(next !== undefined && { next }) };
    },
    async view(id, page = {}) {
      return toView(sessions, await find(id), page);
    },
    async send(id, { text, key, resume, steer, expectedTurn }) {
      const steering = steer === true && expectedTurn !== undefined ? { expectedTurn } : undefined;
      return toSession(sure(await sessions.send(id, { text, key, resume, steer: steering }, caller)).session);
    },
    async cancel(id, turn) {
      return toSession(sure(await sessions.cancel(id, caller.id, { turn })).session);
    },
    async remove(id) {
      const { worktree } = sure(await sessions.remove(id, caller.id));
      return { id, removed: true, ...(worktree && { worktree: { ...worktree, why: worktree.why ?? "" } }) };
    },
    async *events(id, follow) {
      for await (const { id: cursor, event, data } of sessions.events(id, follow))
        yield { id: cursor, kind: event, data } as unknown as SessionStreamEvent;
    },
    async [Symbol.asyncDispose]() {
      await sessions.close();
      await open.close();
    },
  };
}

function asking(ask: Approver["ask"], around: AroundQuestion): Approver["ask"] {
  return (request, context) => around(async () => ask(request, context));
}

/** What was done; a problem is thrown. */
function sure<Result extends { readonly ok: boolean }>(
  result: Result | SessionProblem,
): Extract<Result, { readonly ok: true }> {
  return result.ok ? (result as Extract<Result, { readonly ok: true }>) : refuse(result as SessionProblem);
}

function refuse({ message, hint }: SessionProblem): never {
  throw new ToolgateError([message, hint].filter(Boolean).join(" "));
}

/** Sessions of agents: started, listed, looked at, talked to, cancelled and removed. */
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "../../../core/input/defined.ts";
import { json } from "../../http/answer.ts";
import { problem } from "../../http/problem.ts";
import type { RunnerList, Session, SessionList, SessionRemoved } from "../contract.ts";
import { defineSessionRoute } from "../rest-route.ts";
import {
  cancelBody,
  itemQuery,
  messageBody,
  runnerList,
  session,
  sessionList,
  sessionQuery,
  sessionRemoved,
  sessionView,
  startBody,
} from "../schemas/sessions.ts";
import { findSession, mayReadAll, openSessions, refuseRevoked, refuseSession } from "../session-access.ts";
import { toRunners, toSession, toView } from "../session-json.ts";

const id = "The session's id.";

const start = defineSessionRoute({
  method: "POST",
  path: "/api/sessions",
  right: "call",
  summary: "Starts an agent whose every tool call passes the gate",
  description:
    "With an `Idempotency-Key` (or `key`), asking again answers 200 with the session that is there. 409 `folder_busy` names the session that works in the folder.",
  body: startBody,
  answers: { 200: session, 201: session },
  async handle(request, parts) {
    const header = request.header("idempotency-key");
    const { key = header, ...wanted } = request.body;
    if (header !== undefined && header !== key)
      return problem("bad_request", "The header Idempotency-Key and the body's key differ: send one.");
    if (key !== undefined && !/^[\x20-\x7e]{1,200}$/.test(key))
      return problem("bad_request", "An idempotency key is 1 to 200 plain characters.");
    const sessions = await openSessions(parts);
    if ("kind" in sessions) return sessions;
    const started = await sessions.start({ ...wanted, key }, request.holder.caller);
    if (!started.ok) return refuseSession(started);
    const revoked = await refuseRevoked(request, sessions, started.session, parts);
    if (revoked !== undefined) return revoked;
    return json<Session>(toSession(started.session), { status: started.isNew === true ? 201 : 200 });
  },
});

const list = defineSessionRoute({
  method: "GET",
  path: "/api/sessions",
  right: ["call", "read"],
  summary: "Sessions, the newest first",
  description: "A token without the right `read` sees the sessions that its caller started.",
  query: sessionQuery,
  answers: { 200: sessionList },
  async handle({ query, holder }, parts) {
    const { state: states, ...wanted } = query;
    const own = holder.caller.id;
    if (!mayReadAll(holder) && wanted.owner !== undefined && wanted.owner !== own)
      return problem("forbidden", "Looking at others' sessions needs a token with the right read.");
    const sessions = await openSessions(parts);
    if ("kind" in sessions) return sessions;
    const owner = mayReadAll(holder) ? wanted.owner : own;
    const page = await sessions.list({ ...wanted, owner, states });
    return json<SessionList>(defined({ sessions: page.sessions.map(toSession), next: page.next }));
  },
});

const get = defineSessionRoute({
  method: "GET",
  path: "/api/sessions/:id",
  right: ["call", "read"],
  summary: "A session with its log and what waits in it",
  params: { id },
  query: itemQuery,
  answers: { 200: sessionView },
  async handle({ params, query, holder }, parts) {
    const sessions = await openSessions(parts);
    if ("kind" in sessions) return sessions;
    const found = await findSession(sessions, params.id, holder, "read");
    if ("kind" in found) return found;
    if (query.after !== undefined && found.seqOf(query.after) === undefined)
      return problem("bad_request", "`after` is no place in this session's log.", {
        hint: "Take the id of an item, or leave it out to begin at the first.",
      });
    return json(await toView(sessions, found.session, query));
  },
});

const send = defineSessionRoute({
  method: "POST",
  path: "/api/sessions/:id/messages",
  right: ["call", "admin"],
  summary: "Sends a message: the next turn, or into the one that runs",
  description:
    "While a turn runs the message waits for its own turn. With `steer` it goes into turn `expectedTurn`; if that is over, 409 `turn_changed`.",
  params: { id },
  body: messageBody,
  answers: { 202: session },
  async handle(request, parts) {
    const { params, body, holder } = request;
    const { text, steer = false, expectedTurn, resume, key } = body;
    if (steer !== (expectedTurn !== undefined))
      return problem("invalid_body", "`steer: true` and `expectedTurn` go together.", {
        hint: "The session's `turn` is the one that runs.",
      });
    const sessions = await openSessions(parts);
    if ("kind" in sessions) return sessions;
    const found = await findSession(sessions, params.id, holder, "act");
    if ("kind" in found) return found;
    const steering = expectedTurn === undefined ? undefined : { expectedTurn };
    const message = { text, resume, key, steer: steering };
    const sent = await sessions.send(params.id, message, holder.caller);
    if (!sent.ok) return refuseSession(sent);
    const revoked = await refuseRevoked(request, sessions, sent.session, parts);
    return revoked ?? json<Session>(toSession(sent.session), { status: 202 });
  },
});

const cancel = defineSessionRoute({
  method: "POST",
  path: "/api/sessions/:id/cancel",
  right: ["call", "admin"],
  summary: "Ends a session, or one turn of it",
  description: "Asking again changes nothing. The session's state is kept first; what runs ends after it.",
  params: { id },
  body: cancelBody,
  bodyOptional: true,
  answers: { 202: session },
  async handle({ params, body, holder }, parts) {
    const sessions = await openSessions(parts);
    if ("kind" in sessions) return sessions;
    const found = await findSession(sessions, params.id, holder, "act");
    if ("kind" in found) return found;
    const cancelling = sessions.cancel(params.id, holder.caller.id, { turn: body?.turn });
    // An agent that does not want to end takes its time; its session has ended before that.
    const done = await Promise.race([cancelling, sleep(longestCancelMs, undefined, { ref: false })]);
    if (done !== undefined && !done.ok) return refuseSession(done);
    const now = done?.session ?? (await sessions.get(params.id)) ?? found.session;
    return json<Session>(toSession(now), { status: 202 });
  },
});

const longestCancelMs = 1_000;

const remove = defineSessionRoute({
  method: "DELETE",
  path: "/api/sessions/:id",
  right: ["call", "admin"],
  summary: "Removes a session with its log; cancels it first",
  description: "A work tree that was made for it is removed too, unless it has changes.",
  params: { id },
  answers: { 200: sessionRemoved },
  async handle({ params, holder }, parts) {
    const sessions = await openSessions(parts);
    if ("kind" in sessions) return sessions;
    const found = await findSession(sessions, params.id, holder, "act");
    if ("kind" in found) return found;
    const removed = await sessions.remove(params.id, holder.caller.id);
    if (!removed.ok) return refuseSession(removed);
    const worktree = removed.worktree && defined(removed.worktree);
    return json<SessionRemoved>(defined({ id: params.id, removed: true as const, worktree }));
  },
});

const runners = defineSessionRoute({
  method: "GET",
  path: "/api/runners",
  right: ["call", "read"],
  summary: "Which agents sessions can run",
  answers: { 200: runnerList },
  async handle(_request, parts) {
    const sessions = await openSessions(parts);
    if ("kind" in sessions) return sessions;
    return json<RunnerList>(await toRunners(sessions));
  },
});

export const sessionRoutes = [start, list, get, send, cancel, remove, runners];

/** Who may look at a session, and who may act on it; and what is answered when something is in the way. */
import type { SessionRecord } from "../../core/ports/sessions.ts";
import type { Sessions } from "../../sessions/create-sessions.ts";
import { seqOf } from "../../sessions/session-event.ts";
import { type SessionProblem, unknownSession } from "../../sessions/session-problem.ts";
import { type ProblemAnswer, problem, type RequestProblemCode } from "../http/problem.ts";
import type { Right, TokenHolder } from "../http/rights.ts";
import { isStillAllowed } from "../http/still-allowed.ts";
import type { SessionRouteParts } from "./rest-route.ts";

export async function openSessions({ sessions }: SessionRouteParts): Promise<Sessions | ProblemAnswer> {
  return sessions === undefined
    ? problem("not_found", "This server runs no sessions of agents.")
    : sessions.open();
}

export interface FoundSession {
  readonly session: SessionRecord;
  /** With which of these rights a stream about it may go on. */
  readonly rights: readonly Right[];
  /** Undefined: no place in its log. */
  seqOf(cursor: string): number | undefined;
}

export function mayReadAll({ rights }: TokenHolder): boolean {
  return rights.has("read");
}

/** One that the caller may not see answers like one that is not there. */
export async function findSession(
  sessions: Sessions,
  id: string,
  holder: TokenHolder,
  wanted: "read" | "act",
): Promise<FoundSession | ProblemAnswer> {
  const session = await sessions.get(id);
  const isOwner = session?.owner === holder.caller.id;
  const mayAct = (isOwner && holder.rights.has("call")) || holder.rights.has("admin");
  if (session === undefined || !(isOwner || mayReadAll(holder) || (wanted === "act" && mayAct)))
    return refuseSession(unknownSession(id));
  if (wanted === "act" && !mayAct)
    return problem("forbidden", `Session ${id} is ${session.owner}'s.`, {
      hint: "Its owner acts on it with a token that has the right call; a token with the right admin acts on all.",
    });
  return {
    session,
    rights: isOwner ? ["call", "read"] : ["read"],
    seqOf: (cursor) => seqOf(session, cursor),
  };
}

/**
 * Undefined: the token still counts. Whoever revoked it while the request ran has ended the sessions that there
 * were; this one, which began or went on in the same moment, ends here.
 */
export async function refuseRevoked(
  request: Parameters<typeof isStillAllowed>[0],
  sessions: Sessions,
  session: SessionRecord,
  { tokens }: SessionRouteParts,
): Promise<ProblemAnswer | undefined> {
  const { id } = request.holder.caller;
  if (session.owner !== id || (await isStillAllowed(request, tokens, ["call", "admin"]))) return undefined;
  await sessions.cancel(session.id, "the server");
  return problem("unauthorized", "The token was revoked in this moment, and the session with it.");
}

const codes = {
  not_found: "not_found",
  bad_request: "bad_request",
  unknown_runner: "unknown_runner",
  runner_missing: "runner_missing",
  folder_outside: "folder_outside",
  folder_busy: "folder_busy",
  key_reused: "key_reused",
  session_ended: "session_ended",
  turn_changed: "turn_changed",
  too_many: "too_many_requests",
  rules_broken: "rules_broken",
  closing: "unavailable",
} as const satisfies Record<SessionProblem["code"], RequestProblemCode>;

export function refuseSession({ code, message, hint, holder }: SessionProblem): ProblemAnswer {
  const isLater = code === "too_many" || code === "closing";
  return problem(codes[code], message, {
    hint,
    holder,
    headers: isLater ? { "retry-after": "5" } : undefined,
  });
}

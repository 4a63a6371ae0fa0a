/** Clients that speak older protocol versions: a session each, whose streams they can come back to. */

import { isJsonObject } from "../../../core/input/json.ts";
import { onAbort } from "../../../core/run/abort.ts";
import { isLegacyVersion, legacyVersions, newestLegacy } from "../../../mcp/eras.ts";
import { isRequestId, type RequestId, type RpcMessage, rpcCodes } from "../../../mcp/messages.ts";
import type { Answer } from "../../http/answer.ts";
import { problem } from "../../http/problem.ts";
import type { Principal } from "../../http/rights.ts";
import { whyOtherVersion } from "./check-headers.ts";
import {
  type EndpointParts,
  type McpRequest,
  mayStillCall,
  mayStillLook,
  replayBounds,
  streamBounds,
  wrongId,
} from "./endpoint-parts.ts";
import { LegacySession } from "./legacy-session.ts";
import { eventStream, PostedRequest } from "./posted-request.ts";
import { ReplayBudgets } from "./replay-budget.ts";
import { accepted, refused, rpcAnswer } from "./rpc-answers.ts";
import { createSessionIds } from "./session-ids.ts";
import { createSessions } from "./sessions.ts";

export interface LegacyLeg {
  readonly sessions: number;
  post(message: RpcMessage, request: McpRequest): Answer | Promise<Answer>;
  /** What the session of this request agreed on, or why there is none. */
  versionOf(request: McpRequest): string | undefined | Answer;
  listen(request: McpRequest): Answer;
  end(request: McpRequest): Answer;
  close(): void;
}

export function createLegacyLeg(parts: EndpointParts): LegacyLeg {
  const { server, clock, limits } = parts;
  const { quietMs, heartbeatMs, maxStreamMs } = limits;
  const sessions = createSessions<LegacySession>(limits, clock);
  const ids = createSessionIds(parts.sessionKey);
  const shelves = new ReplayBudgets(replayBounds);
  /** Those whose clients said that they are over: they never come back. */
  const ended = new Set<string>();
  return {
    get sessions() {
      return sessions.size;
    },
    post(message, request) {
      const { method, id } = message;
      if (method === "initialize" && isRequestId(id)) return initialize(message, id, request);
      const session = find(request, isRequestId(id) ? id : null);
      if (!(session instanceof LegacySession)) return session;
      const asked = method !== undefined && isRequestId(id) ? id : null;
      const other = method === "initialize" ? undefined : refusedVersion(session, request, asked);
      if (other !== undefined) return other;
      if (method === undefined || id === undefined) return take(message, session);
      return isRequestId(id) ? answer(message, id, session, request) : refused(400, null, wrongId);
    },
    versionOf(request) {
      const session = find(request, null);
      return session instanceof LegacySession ? session.connection.protocolVersion : session;
    },
    listen(request) {
      if (!request.mayStream)
        return problem("not_acceptable", "This is a stream: Accept must name text/event-stream.");
      const session = find(request, null);
      if (!(session instanceof LegacySession)) return session;
      const other = refusedVersion(session, request, null);
      if (other !== undefined) return other;
      const place = session.place(request.http.header("last-event-id"));
      if (place === undefined)
        return problem("bad_request", "Nothing is left of the stream that Last-Event-ID names.");
      const { messages, after, isGeneral } = place;
      return eventStream(async (out) => {
        // A call that is being answered is waited for when the server ends; the general stream is not.
        const signal = isGeneral ? out.signal : request.http.signal;
        const written = { out, after, signal, ...staying(request), ...comingBack(session) };
        if (await messages.writeTo(written)) session.wasRead(messages);
      });
    },
    end(request) {
      const session = find(request, null);
      if (!(session instanceof LegacySession)) return session;
      const other = refusedVersion(session, request, null);
      if (other !== undefined) return other;
      sessions.close(session);
      ended.add(session.id);
      const [oldest] = ended;
      if (ended.size > maxEnded && oldest !== undefined) ended.delete(oldest);
      return rpcAnswer("");
    },
    close: () => sessions.closeAll(),
  };

  function find(request: McpRequest, id: RequestId | null): LegacySession | Answer {
    const version = request.http.header("mcp-protocol-version");
    if (version !== undefined && !isLegacyVersion(version))
      return refused(400, id, {
        code: rpcCodes.unsupportedVersion,
        message: `Protocol version ${JSON.stringify(version)} is not supported.`,
        data: { supported: [...legacyVersions], requested: version },
      });
    const given = request.http.header("mcp-session-id");
    if (given === undefined) return refused(400, id, sessionNeeded);
    const { principal } = request.http;
    const found = sessions.find(given, principal.caller.id);
    if (found?.fits(principal) === true) return found;
    if (found !== undefined) sessions.close(found);
    return revive(given, principal) ?? refused(404, id, noSession);
  }

  /** After a restart, after it was closed to save memory, or when its token may do other things now. */
  function revive(id: string, principal: Principal): LegacySession | undefined {
    const params = ended.has(id) ? undefined : ids.read(id, principal.caller.id);
    if (params === undefined) return undefined;
    const session = open(id, principal);
    session?.revive(params);
    return session;
  }

  function open(id: string, principal: Principal): LegacySession | undefined {
    const kept = { bounds: streamBounds, put: shelves.of(principal.caller.id) };
    return sessions.open(principal.caller.id, () => new LegacySession(id, { server, principal, ...kept }));
  }

  function initialize(
    message: RpcMessage,
    id: RequestId,
    { http: { principal } }: McpRequest,
  ): Answer | Promise<Answer> {
    const session = open(ids.make(principal.caller.id, message.params), principal);
    if (session === undefined)
      return problem(
        "too_many_requests",
        "This principal has too many sessions, and all of them are in use.",
        {
          hint: "End sessions with DELETE /mcp; limits are set under server.limits of the configuration.",
          headers: { "retry-after": "10" },
        },
      );
    const posted = new PostedRequest({
      clock,
      mayStream: false,
      quietMs,
      makeStream: () => session.makeStream(id),
      write: async () => {},
      headers: { "mcp-session-id": session.id },
    });
    session.post(id, posted);
    session.connection.take(message);
    return posted.answer.then((answered) => {
      // Refused: a session in which nothing can be asked is none.
      if (session.connection.protocolVersion === undefined) sessions.close(session);
      return answered;
    });
  }

  /** Notifications, and answers to what the client was asked. */
  function take(message: RpcMessage, session: LegacySession): Answer {
    session.connection.take(message);
    const { method, params } = message;
    const cancelled =
      method === "notifications/cancelled" && isJsonObject(params) ? params.requestId : undefined;
    if (isRequestId(cancelled)) session.forget(cancelled);
    return accepted;
  }

  function answer(
    message: RpcMessage,
    id: RequestId,
    session: LegacySession,
    request: McpRequest,
  ): Answer | Promise<Answer> {
    const posted = new PostedRequest({
      clock,
      mayStream: request.mayStream,
      quietMs,
      makeStream: () => session.makeStream(id),
      write: async (messages, out) => {
        const { signal } = request.http;
        const written = { out, after: 0, signal, ...staying(request), ...comingBack(session) };
        if (await messages.writeTo(written)) session.wasRead(messages);
      },
      // Whoever leaves has not ended the call: leaving must not make room for another one.
      hold: () => request.http.holdPlace(),
      mayStillCall: () => mayStillCall(request),
    });
    if (!session.post(id, posted)) return refused(400, id, sameId);
    // A client that left without having been told where to come back can never be given the answer.
    const stopListening = onAbort(request.http.cancellation, () => {
      if (!posted.isStreamed) session.cancel(id, "the client is gone");
    });
    // Whoever is gone by now has cancelled it.
    if (!posted.isAnswered) session.connection.take(message);
    return posted.answer.finally(stopListening);
  }

  function staying(request: McpRequest) {
    return { clock, heartbeatMs, isStillAllowed: () => mayStillLook(request) };
  }

  /** Clients before that cannot read an event without data, and are not told to come back. */
  function comingBack({ connection }: LegacySession) {
    const isAble = connection.protocolVersion === newestLegacy;
    return isAble ? { prime: { retryMs }, maxMs: maxStreamMs } : {};
  }
}

function refusedVersion(
  { connection }: LegacySession,
  request: McpRequest,
  id: RequestId | null,
): Answer | undefined {
  const { protocolVersion: agreed } = connection;
  if (agreed === undefined) return undefined;
  const why = whyOtherVersion(request.http.header("mcp-protocol-version"), agreed);
  return why && refused(400, id, why);
}

const maxEnded = 10_000;

/** How long clients wait before they come back. */
const retryMs = 1_000;

const sessionNeeded = {
  code: rpcCodes.invalidRequest,
  message: "The header Mcp-Session-Id is missing: begin with initialize.",
};
const noSession = { code: -32_001, message: "There is no such session: begin anew with initialize." };
const sameId = {
  code: rpcCodes.invalidRequest,
  message: "Another request with this id has not been answered yet.",
};

/** Clients that speak older protocol versions: a session each, whose streams they can come back to. */

import { isJsonObject } from "../../../core/input/json.ts";
import { onAbort } from "../../../core/run/abort.ts";
import { newestLegacy } from "../../../mcp/eras.ts";
import { isRequestId, type RequestId, type RpcMessage, rpcCodes } from "../../../mcp/messages.ts";
import type { Answer } from "../../http/answer.ts";
import { problem } from "../../http/problem.ts";
import { otherVersion } from "./check-headers.ts";
import {
  type EndpointParts,
  type McpRequest,
  mayStillCall,
  mayStillLook,
  wrongId,
} from "./endpoint-parts.ts";
import { LegacySession } from "./legacy-session.ts";
import { createLegacySessions } from "./legacy-sessions.ts";
import type { MessageStream, WriteRequest } from "./message-stream.ts";
import { eventStream, PostedRequest } from "./posted-request.ts";
import { accepted, refused, rpcAnswer } from "./rpc-answers.ts";

export function createLegacyEndpoint(parts: EndpointParts) {
  const { clock, limits } = parts;
  const { quietMs, heartbeatMs, maxStreamMs } = limits;
  const sessions = createLegacySessions(parts);
  return {
    get sessions(): number {
      return sessions.size;
    },
    post(message: RpcMessage, request: McpRequest): Answer | Promise<Answer> {
      const { method, id } = message;
      if (method === "initialize" && isRequestId(id)) return initialize(message, id, request);
      return inSession(request, isRequestId(id) ? id : null, (session) => {
        if (method === undefined || id === undefined) return take(message, session);
        return isRequestId(id) ? answer(message, id, session, request) : refused(400, null, wrongId);
      });
    },
    /** What the session of this request agreed on, or why there is none. */
    async versionOf(request: McpRequest): Promise<string | undefined | Answer> {
      const session = await sessions.find(request, null);
      return session instanceof LegacySession ? session.connection.protocolVersion : session;
    },
    listen(request: McpRequest): Answer | Promise<Answer> {
      if (!request.mayStream)
        return problem("not_acceptable", "This is a stream: Accept must name text/event-stream.");
      return inSession(request, null, (session) => {
        const place = session.place(request.http.header("last-event-id"));
        if (place === undefined)
          return problem("bad_request", "Nothing is left of the stream that Last-Event-ID names.");
        const { messages, after, isGeneral } = place;
        return eventStream((out) => {
          // A call that is being answered is waited for when the server ends; the general stream is not.
          const signal = isGeneral ? out.signal : request.http.signal;
          return write(messages, session, request, { out, after, signal });
        });
      });
    },
    end: (request: McpRequest): Answer | Promise<Answer> =>
      inSession(request, null, (session) => {
        const over = sessions.end(session);
        return over === undefined ? rpcAnswer("") : over.then(() => rpcAnswer(""));
      }),
    close: sessions.close,
  };

  /** In a session the header, if it is there, names the version that `initialize` agreed on. */
  function inSession(
    request: McpRequest,
    id: RequestId | null,
    use: (session: LegacySession) => Answer | Promise<Answer>,
  ): Answer | Promise<Answer> {
    const useFound = (session: LegacySession | Answer) => {
      if (!(session instanceof LegacySession)) return session;
      const { protocolVersion: agreed } = session.connection;
      const header = request.http.header("mcp-protocol-version");
      return agreed === undefined || header === undefined || header === agreed
        ? use(session)
        : refused(400, id, otherVersion(header, agreed));
    };
    const found = sessions.find(request, id);
    return found instanceof Promise ? found.then(useFound) : useFound(found);
  }

  function initialize(
    message: RpcMessage,
    id: RequestId,
    { http: { holder } }: McpRequest,
  ): Answer | Promise<Answer> {
    const session = sessions.begin(holder, message.params);
    if (session === undefined)
      return problem("too_many_requests", "This caller has too many sessions, and all of them are in use.", {
        hint: "End sessions with DELETE /mcp; limits are set under server.limits of the configuration.",
        headers: { "retry-after": "10" },
      });
    const posted = new PostedRequest({
      id,
      clock,
      mayStream: false,
      quietMs,
      makeStream: () => session.makeStream(id),
      write: async () => {},
      headers: { "mcp-session-id": session.id },
    });
    session.post(posted);
    session.connection.take(message);
    return posted.answer.then((answered) => {
      // Refused: a session in which nothing can be asked is none.
      if (session.connection.protocolVersion === undefined) sessions.drop(session);
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
      id,
      clock,
      mayStream: request.mayStream,
      quietMs,
      makeStream: () => session.makeStream(id),
      write: (messages, out) =>
        write(messages, session, request, { out, after: 0, signal: request.http.signal }),
      // Whoever leaves has not ended the call: leaving must not make room for another one.
      hold: () => request.http.holdPlace(),
      mayStillCall: () => mayStillCall(request),
    });
    if (!session.post(posted)) return refused(400, id, sameId);
    // A client that left without having been told where to come back can never be given the answer.
    const stopListening = onAbort(request.http.cancellation, () => {
      if (!posted.isStreamed) session.cancel(id, "the client is gone");
    });
    // Whoever is gone by now has cancelled it.
    if (!posted.isAnswered) session.connection.take(message);
    return posted.answer.finally(stopListening);
  }

  async function write(
    messages: MessageStream,
    session: LegacySession,
    request: McpRequest,
    to: Pick<WriteRequest, "out" | "after" | "signal">,
  ): Promise<void> {
    // Clients of earlier versions cannot read an event without data, and are not told to come back.
    const comesBack = session.connection.protocolVersion === newestLegacy;
    const isRead = await messages.writeTo({
      ...to,
      clock,
      heartbeatMs,
      isStillAllowed: () => mayStillLook(request),
      ...(comesBack && { prime: { retryMs }, maxMs: maxStreamMs }),
    });
    if (isRead) session.wasRead(messages);
  }
}

/** How long clients wait before they come back. */
const retryMs = 1_000;

const sameId = {
  code: rpcCodes.invalidRequest,
  message: "Another request with this id has not been answered yet.",
};

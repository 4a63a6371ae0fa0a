/** A request that says everything about itself: no session, and whoever leaves has cancelled. */
import { onAbort } from "../../../core/run/abort.ts";
import { readEnvelope } from "../../../mcp/eras.ts";
import type { Answer } from "../../http/answer.ts";
import { problem } from "../../http/problem.ts";
import { type EndpointParts, type McpRequest, type PostedCall, streamBounds } from "./endpoint-parts.ts";
import { MessageStream } from "./message-stream.ts";
import { PostedRequest } from "./posted-request.ts";
import { statusOfAnswer } from "./rpc-answers.ts";

/** Throws an RpcError if the request cannot be taken. */
export function answerModern(
  message: PostedCall,
  request: McpRequest,
  parts: EndpointParts,
): Answer | Promise<Answer> {
  const { server, clock, limits } = parts;
  const { id, method, params } = message;
  readEnvelope(params);
  const listens = method === "subscriptions/listen";
  const tooMany = listens ? request.becomeStream() : undefined;
  if (tooMany !== undefined) return tooMany;
  const posted = new PostedRequest({
    clock,
    mayStream: request.accepts("text/event-stream"),
    quietMs: limits.quietMs,
    makeStream: () => new MessageStream(undefined, streamBounds),
    write: async (messages, out) => {
      // Calls are waited for when the server ends; what only listens is not.
      const signal = listens ? out.signal : request.signal;
      const { heartbeatMs } = limits;
      const isStillAllowed = () => request.isStillAllowed();
      await messages.writeTo({ out, after: 0, signal, clock, heartbeatMs, isStillAllowed });
      connection.close();
    },
    statusOf: (json) => statusOfAnswer(json, id),
  });
  const connection = server.connect({
    caller: request.principal.caller,
    mayRead: request.principal.rights.has("read"),
    mayApprove: request.principal.rights.has("approve"),
    mayStillCall: () => request.mayStillCall(),
    send(json, _about, isAnswer) {
      posted.take(json, isAnswer);
      if (!isAnswer) return;
      stopListening();
      connection.close();
    },
  });
  const stopListening = onAbort(request.cancellation, () => {
    connection.close();
    posted.drop(problem("unavailable", "The request was cancelled."));
  });
  connection.receive(message);
  return posted.answer;
}

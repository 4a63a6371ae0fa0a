/** A request that says everything about itself: no session, and whoever leaves has cancelled. */
import { onAbort } from "../../../core/run/abort.ts";
import { readEnvelope } from "../../../mcp/eras.ts";
import type { RequestId, RpcMessage } from "../../../mcp/messages.ts";
import type { Answer } from "../../http/answer.ts";
import { problem } from "../../http/problem.ts";
import { methodOf } from "../methods.ts";
import {
  type EndpointParts,
  type McpRequest,
  mayStillCall,
  mayStillLook,
  streamBounds,
} from "./endpoint-parts.ts";
import { MessageStream } from "./message-stream.ts";
import { PostedRequest } from "./posted-request.ts";

/** Throws an RpcError if the request cannot be taken. */
export function answerModern(
  message: RpcMessage & { readonly id: RequestId; readonly method: string },
  request: McpRequest,
  parts: EndpointParts,
): Answer | Promise<Answer> {
  const { server, clock, limits } = parts;
  const { http, mayStream } = request;
  const { caller, rights } = http.holder;
  const client = readEnvelope(message.params);
  const staysOpen = methodOf(message.method)?.staysOpen === true;
  const tooMany = staysOpen ? http.becomeStream() : undefined;
  if (tooMany !== undefined) return tooMany;
  const posted = new PostedRequest({
    id: message.id,
    clock,
    mayStream,
    quietMs: limits.quietMs,
    makeStream: () => new MessageStream(undefined, streamBounds),
    write: async (messages, out) => {
      // Calls are waited for when the server ends; what only listens is not.
      const signal = staysOpen ? out.signal : http.signal;
      const { heartbeatMs } = limits;
      const isStillAllowed = () => mayStillLook(request);
      await messages.writeTo({ out, after: 0, signal, clock, heartbeatMs, isStillAllowed });
      connection.close();
    },
    tellsStatus: true,
  });
  const connection = server.connect({
    era: "modern",
    client,
    caller,
    mayRead: rights.has("read"),
    mayApprove: rights.has("approve"),
    mayStillCall: () => mayStillCall(request),
    send(json, _about, isAnswer, errorCode) {
      posted.take(json, isAnswer, errorCode);
      if (!isAnswer) return;
      stopListening();
      connection.close();
    },
  });
  const stopListening = onAbort(http.cancellation, () => {
    connection.close();
    posted.drop(problem("unavailable", "The request was cancelled."));
  });
  connection.take(message);
  return posted.answer;
}

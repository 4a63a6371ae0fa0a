/** Calling a tool: one walk through the gate, as one JSON answer or with its progress as events. */
import type { CallRequest } from "../../../core/call/call.ts";
import type { Outcome } from "../../../core/call/outcome.ts";
import type { Clock } from "../../../core/ports/ports.ts";
import type { Gate } from "../../../gate/gate.ts";
import { type Answer, type AnswerStream, json, stream } from "../../http/answer.ts";
import { problemOfStop, storeAwayTitle } from "../../http/problem.ts";
import { isStillAllowed } from "../../http/still-allowed.ts";
import { toFrame } from "../events/event-log.ts";
import { progressJson } from "../events/watch-gate.ts";
import { outcomeJson } from "../outcome-json.ts";
import { recordRefusedCall } from "../record-refused.ts";
import { defineGateRoute } from "../rest-route.ts";
import { callBody, callOutcome } from "../schemas/tools.ts";

const callTool = defineGateRoute({
  method: "POST",
  path: "/api/tools/:name/call",
  right: "call",
  summary: "Calls a tool through the gate",
  description:
    "Every call that walked answers 200, refused ones too: look at `ok`. A store that cannot be reached is a 503 with `Retry-After`. With `Accept: text/event-stream` the answer is a stream of `progress` " +
    "events that ends with one `outcome`. The call is cancelled when the client goes away.",
  params: { name: "The tool's id, wire name or alias." },
  body: callBody,
  bodyOptional: true,
  answers: { 200: callOutcome },
  otherForms: [{ contentType: "text/event-stream", description: "`progress` events, then one `outcome`." }],
  onRefused: (refused, parts) =>
    recordRefusedCall(refused, { surface: "http", kind: "call", tool: refused.params.name }, parts),
  async handle(request, { gate, clock, tokens }) {
    const { params, body, holder, cancellation } = request;
    const call: CallRequest = {
      input: {},
      ...body,
      tool: params.name,
      caller: holder.caller,
      surface: "http",
      // Requests come side by side. Only the name of a session says that they belong together.
      inOrder: body?.sessionId !== undefined,
      signal: cancellation,
      isStillAllowed: () => isStillAllowed(request, tokens, ["call"]),
    };
    // An unknown tool is a 404 in either form; the attempt is recorded all the same.
    if (request.accepts("text/event-stream") && gate.tools.seenBy(holder.caller, params.name))
      return stream("text/event-stream", (out) => writeCall(out, call, gate, clock));
    return answerOf(await gate.dispatch(call));
  },
});

export const callRoutes = [callTool];

function answerOf(outcome: Outcome): Answer {
  if (!outcome.ok) {
    const { error } = outcome;
    if (error.code === "unknown_tool") return problemOfStop(404, "There is no such tool.", error);
    if (error.code === "input_too_large") return problemOfStop(413, "The input is too large.", error);
    if (error.code === "gate_closed") return problemOfStop(503, "The server is ending.", error);
    if (error.code === "store_unavailable") return problemOfStop(503, storeAwayTitle, error);
  }
  return json(outcomeJson(outcome));
}

async function writeCall(out: AnswerStream, request: CallRequest, gate: Gate, clock: Clock): Promise<void> {
  let taken = true;
  // Whoever waits for a person hears nothing for minutes; proxies would take the connection for dead.
  let stopBeating = clock.after(heartbeatMs, beat);
  function beat(): void {
    out.write(": heartbeat\n\n");
    stopBeating = clock.after(heartbeatMs, beat);
  }
  const onProgress: CallRequest["onProgress"] = (progress) => {
    // Progress that a slow client does not take is left out; the outcome never is.
    if (!taken) return;
    taken = out.write(toFrame(undefined, "progress", progressJson(progress)));
    if (!taken)
      void out.drained().then(() => {
        taken = true;
      });
  };
  try {
    const outcome = await gate.dispatch({ ...request, onProgress });
    out.write(toFrame(undefined, "outcome", outcomeJson(outcome)));
  } finally {
    stopBeating();
  }
}

const heartbeatMs = 15_000;

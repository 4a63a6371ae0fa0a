/** Writes to the event log what is asked and answered in any process that shares the store. */

import type { ApprovalRequest } from "../../../core/call/approval.ts";
import { defined } from "../../../core/input/defined.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import type { Store } from "../../../open/open-store.ts";
import type { EventLog } from "./event-log.ts";
import { ruleJson, shownText } from "./shown.ts";
import { watchQuestions } from "./watch-questions.ts";

type Approvals = Store["approvals"];

/** Returns how to stop. */
export function watchApprovals(approvals: Approvals, log: EventLog): () => void {
  let stopped = false;
  const stop = watchQuestions(approvals, {
    onAsked: (request) => log.append("approval-request", requestJson(request), request.sessionId),
    async onEnded(request) {
      const end = await endJson(approvals, request);
      if (!stopped) log.append("approval-answer", end, request.sessionId);
    },
  });
  return () => {
    stopped = true;
    stop();
  };
}

/** Without the input: a person who may answer asks for the input by the id. */
function requestJson(request: ApprovalRequest): JsonObject {
  const { id, callId, sessionId, toolId: tool, caller, rule, createdAt, expiresAt } = request;
  const title = shownText(request.title);
  const reason = shownText(request.reason);
  const asked = { id, callId, sessionId, tool, title, caller, reason, createdAt, expiresAt };
  return { ...defined(asked), ...ruleJson(rule) };
}

async function endJson(
  approvals: Approvals,
  { id, callId, toolId, sessionId }: ApprovalRequest,
): Promise<JsonObject> {
  const record = (await approvals.find(id))[0];
  const { state = "unknown", answer } = record ?? {};
  // Claimed and done come after a yes.
  const end =
    state === "claimed" || state === "done" || state === "unknown" ? (answer?.decision ?? "gone") : state;
  const { by, scope, reason } = answer ?? {};
  return defined({
    id,
    callId,
    tool: toolId,
    sessionId,
    state: end === "approve" ? "approved" : end === "deny" ? "denied" : end,
    by,
    scope,
    reason: reason && shownText(reason),
  });
}

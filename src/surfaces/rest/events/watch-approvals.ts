/** Writes to the event log what is asked and answered in any process that shares the store. */

import type { ApprovalRequest } from "../../../core/call/approval.ts";
import { defined } from "../../../core/input/defined.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import type { Store } from "../../../open/open-store.ts";
import type { EventLog } from "./event-log.ts";
import { ruleJson, shownText } from "./shown.ts";

type Approvals = Store["approvals"];

const safetyLookMs = 1_000;

/** Returns how to stop. */
export function watchApprovals(approvals: Approvals, log: EventLog): () => void {
  const waiting = new Map<string, ApprovalRequest>();
  let stopped = false;
  let isLooking = false;
  let again = false;

  const look = async () => {
    const now = new Map((await approvals.waiting()).map(({ request }) => [request.id, request]));
    if (stopped) return;
    for (const [id, request] of now) {
      if (waiting.has(id)) continue;
      waiting.set(id, request);
      log.append("approval-request", requestJson(request), request.sessionId);
    }
    for (const [id, request] of waiting) {
      if (now.has(id)) continue;
      waiting.delete(id);
      const end = await endJson(approvals, request);
      if (!stopped) log.append("approval-answer", end, request.sessionId);
    }
  };
  /** One look at a time; what changes meanwhile is seen by the next. */
  const lookSoon = async () => {
    again = true;
    if (isLooking) return;
    isLooking = true;
    while (again && !stopped) {
      again = false;
      // A store that fails is reported where it is used; the next change looks again.
      await look().catch(() => {});
    }
    isLooking = false;
  };
  const stopListening = approvals.onChange(() => void lookSoon());
  // A process that was killed rings no bell: its questions are seen to be gone only by looking.
  const safety = setInterval(() => {
    if (waiting.size > 0) void lookSoon();
  }, safetyLookMs).unref();
  void lookSoon();
  return () => {
    stopped = true;
    clearInterval(safety);
    stopListening();
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

/** An approval as a question that a client can show, and what the person's answer means. */
import type { ApprovalAnswer, ApprovalRequest } from "../../../core/call/approval.ts";
import { describeMeaning } from "../../../core/call/describe-meaning.ts";
import type { ElicitAnswer } from "../../../core/call/elicit.ts";
import { isJsonObject, type JsonObject } from "../../../core/input/json.ts";
import { visible } from "../../../core/text/visible.ts";

const maxInputCharacters = 4_000;
const maxReasonCharacters = 500;

export function approvalQuestion({ toolId, title, reason, input, meaning }: ApprovalRequest): JsonObject {
  // Nothing hidden: what the person reads is what would run.
  const shown = visible(JSON.stringify(input, null, 2), {
    keepNewlines: true,
    maxLength: maxInputCharacters,
  });
  const named = title === toolId ? toolId : `${toolId} (${visible(title, { maxLength: 100 })})`;
  const reached = describeMeaning(meaning).map((line) => `\n  ${line}`);
  const reaches = reached.length === 0 ? "" : `\n\nIt reaches:${reached.join("")}`;
  return {
    message: `May ${named} run?\n${visible(reason, { keepNewlines: true, maxLength: maxReasonCharacters })}\n\n${shown}${reaches}`,
    requestedSchema: {
      type: "object",
      properties: {
        decision: {
          type: "string",
          title: "Decision",
          description: "approve: this call runs once. deny: it does not.",
          enum: ["approve", "deny"],
        },
        reason: {
          type: "string",
          title: "Reason",
          description: "For the agent, if you deny.",
          maxLength: 500,
        },
      },
      required: ["decision"],
    },
  };
}

/** Only a clear yes is one; and a client's yes holds for this call alone. */
export function readDecision({ action, content }: ElicitAnswer): Omit<ApprovalAnswer, "by"> {
  if (action === "accept" && content?.decision === "approve") return { decision: "approve", scope: "once" };
  const reason = content?.reason;
  if (action === "accept" && typeof reason === "string" && reason !== "")
    return { decision: "deny", reason: reason.slice(0, maxReasonCharacters) };
  return action === "cancel"
    ? { decision: "deny", reason: "the question was closed without an answer" }
    : { decision: "deny" };
}

/** What came back may be anything. */
export function readElicitAnswer(given: unknown): ElicitAnswer {
  if (typeof given !== "object" || given === null) return { action: "cancel" };
  const { action, content } = given as { action?: unknown; content?: unknown };
  if (action !== "accept" && action !== "decline" && action !== "cancel") return { action: "cancel" };
  return { action, ...(action === "accept" && isJsonObject(content) && { content }) };
}

/** What every approval desk says about an answer: whether its form is right, and why it came too late. */
import {
  type AnswerResult,
  type ApprovalAnswer,
  type ApprovalBinding,
  grantScopes,
} from "../../core/call/approval.ts";
import { unknownKeys } from "../../core/input/unknown-keys.ts";

type Refused = AnswerResult & { readonly ok: false };

/** How an approval ended before this answer came. */
export type EndedBefore =
  | { readonly state: "answered"; readonly by: string; readonly decision: "approve" | "deny" }
  | { readonly state: "expired" | "withdrawn" };

const answerKeys = ["decision", "by", "via", "scope", "covers", "expiresInMs", "input", "reason"];

/** Undefined: it is an answer. */
export function explainBadAnswer(answer: ApprovalAnswer): string | undefined {
  if (typeof answer !== "object" || answer === null) return "An answer is an object with decision and by.";
  const [unknown] = unknownKeys(answer, answerKeys);
  if (unknown !== undefined) return `An answer has no "${unknown.key}"; ${unknown.instead}`;
  if (typeof answer.by !== "string" || answer.by === "") return "An answer must say who gives it (by).";
  if (answer.via !== undefined && answer.via !== "elicitation") return 'via must be "elicitation".';
  if (answer.decision !== "approve" && answer.decision !== "deny")
    return `decision must be "approve" or "deny".`;
  if (answer.scope !== undefined && !grantScopes.includes(answer.scope))
    return `scope must be one of ${grantScopes.join(", ")}.`;
  if (answer.covers !== undefined && answer.covers !== "input" && answer.covers !== "tool")
    return `covers must be "input" or "tool".`;
  if (answer.expiresInMs !== undefined && !(Number.isFinite(answer.expiresInMs) && answer.expiresInMs > 0))
    return "expiresInMs must be above 0.";
  if (answer.reason !== undefined && typeof answer.reason !== "string") return "reason must be text.";
  return undefined;
}

export function tooLate(id: string, ended: EndedBefore): Refused {
  if (ended.state === "answered") {
    const { by, decision } = ended;
    const was = decision === "approve" ? "approved" : "denied";
    const message = `Approval ${id} was ${was} by ${by} already; this answer changes nothing.`;
    return { ok: false, code: "already_answered", message, winner: { by, decision } };
  }
  const message =
    ended.state === "expired"
      ? `Approval ${id} has expired; the call was refused.`
      : `Approval ${id} was withdrawn: the call that asked was cancelled or its process has ended.`;
  return { ok: false, code: ended.state, message };
}

export function unknownApproval(id: string): Refused {
  return { ok: false, code: "unknown", message: `There is no approval ${id}.` };
}

export function selfApproval(by: string): Refused {
  return { ok: false, code: "self_approval", message: `"${by}" asked for this call and cannot answer it.` };
}

export function badAnswer(message: string): Refused {
  return { ok: false, code: "bad_answer", message };
}

/** `inputHash`: of the input that was approved, which may be an edited one. */
export function sameBinding(
  asked: ApprovalBinding,
  inputHash: string | undefined,
  binding: ApprovalBinding,
): boolean {
  return (
    asked.caller === binding.caller &&
    asked.toolId === binding.toolId &&
    asked.definitionHash === binding.definitionHash &&
    inputHash === binding.inputHash &&
    asked.meaningHash === binding.meaningHash &&
    (binding.policyVersion === undefined || binding.policyVersion === asked.policyVersion)
  );
}

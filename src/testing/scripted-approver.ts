/** An approver that answers from a script and remembers what it was asked. */
import type { ApprovalAnswer, ApprovalRequest, Approver } from "../core/call/approval.ts";

type Answer = Omit<ApprovalAnswer, "by">;

/** `"never"` leaves the question open until it expires. */
export type ScriptedAnswer =
  | "approve"
  | "deny"
  | "never"
  | Answer
  | ((request: ApprovalRequest) => Answer | Promise<Answer>);

export interface ScriptedApprover extends Approver {
  readonly asked: readonly ApprovalRequest[];
}

/** Answers in the order given; the last one repeats. With no answers it denies. */
export function createScriptedApprover(
  answers: readonly ScriptedAnswer[] = [],
  name = "scripted-approver",
): ScriptedApprover {
  const asked: ApprovalRequest[] = [];
  return {
    name,
    asked,
    async ask(request, { signal }) {
      const answer = answers[Math.min(asked.length, answers.length - 1)] ?? "deny";
      asked.push(request);
      if (answer === "approve" || answer === "deny") return { decision: answer };
      if (typeof answer === "function") return answer(request);
      if (answer !== "never") return answer;
      return new Promise<Answer>((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
      );
    },
  };
}

/** A request to approve, as a gate would make it. */
import type { ApprovalBinding, ApprovalRequest } from "../../../../src/core/call/approval.ts";

export const binding: ApprovalBinding = {
  caller: "agent",
  toolId: "x.run",
  definitionHash: "def",
  inputHash: "in",
  meaningHash: "here",
};

export function approvalRequest(id: string, parts: Partial<ApprovalRequest> = {}): ApprovalRequest {
  const now = Date.now();
  return {
    id,
    ...binding,
    callId: `call-${id}`,
    sessionId: undefined,
    toolUseId: undefined,
    project: "/workspace",
    title: "Run",
    description: "Runs it.",
    input: {},
    meaning: { paths: [], programs: [] },
    policyVersion: 1,
    reason: "It asks.",
    rule: undefined,
    createdAt: now,
    expiresAt: now + 60_000,
    ...parts,
  };
}

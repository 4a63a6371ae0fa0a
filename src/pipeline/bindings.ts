/** What a person's yes is bound to: who asked, which definition of which tool, which input. */
import type { ApprovalAnswer, ApprovalBinding, ApprovalRequest, Grant } from "../core/approval.ts";
import { fingerprint } from "../core/fingerprint.ts";
import type { Permission } from "../core/permission.ts";
import type { Call } from "./calls.ts";
import type { GateParts } from "./parts.ts";

export function bindingOf({ caller, planned, registered, input }: Call): ApprovalBinding {
  return {
    principal: caller.id,
    toolId: planned.id,
    definitionHash: registered?.definitionHash ?? "foreign",
    inputHash: fingerprint(input),
  };
}

export function findGrant(call: Call, parts: GateParts): Grant | undefined | Promise<Grant | undefined> {
  return parts.grants.find({
    principal: call.caller.id,
    toolId: call.planned.id,
    definitionHash: call.registered?.definitionHash ?? "foreign",
    sessionId: call.sessionId,
    project: call.roots[0] ?? call.cwd,
    inputHash: () => fingerprint(call.input),
    now: parts.clock.now(),
    exactOnly: call.decision.rule?.kind === "default" && call.decision.rule.name !== "ask",
  });
}

/** Undefined for a yes that holds once. A lasting yes to a tool that executes covers the very input only: "any command, always" is a policy, not a click. */
export function grantFrom(
  request: ApprovalRequest,
  answer: ApprovalAnswer,
  binding: ApprovalBinding,
  permission: Permission,
  parts: GateParts,
): Grant | undefined {
  const { scope } = answer;
  if (scope === undefined || scope === "once") return undefined;
  // Without a session there is nothing that a session's yes could hold for.
  if (scope === "session" && request.sessionId === undefined) return undefined;
  const anyInput = answer.covers === "tool" && permission !== "execute";
  const createdAt = parts.clock.now();
  return Object.freeze({
    id: parts.ids.secret(),
    scope,
    principal: binding.principal,
    sessionId: scope === "session" ? request.sessionId : undefined,
    project: scope === "project" ? request.project : undefined,
    toolId: binding.toolId,
    definitionHash: binding.definitionHash,
    inputHash: anyInput ? undefined : binding.inputHash,
    by: answer.by,
    createdAt,
    expiresAt: answer.expiresInMs === undefined ? undefined : createdAt + answer.expiresInMs,
  });
}

/** What a yes is bound to: who asked, which definition of which tool, which input, what it meant here. */
import type { ApprovalAnswer, ApprovalBinding, ApprovalRequest, Grant } from "../../core/call/approval.ts";
import { fingerprint } from "../../core/input/fingerprint.ts";
import type { Permission } from "../../core/tool/permission.ts";
import type { Call } from "../calls.ts";
import type { DecidingParts, GateParts } from "../parts.ts";
import { hashMeaning, type MeaningHashes, meaningOf } from "./meaning.ts";

export function bindingOf(call: Call, parts: DecidingParts): ApprovalBinding {
  const { caller, planned, registered, input } = call;
  return {
    caller: caller.id,
    toolId: planned.id,
    definitionHash: registered?.definitionHash ?? "foreign",
    inputHash: fingerprint(input),
    meaningHash: meaningHashesOf(call, parts).here,
  };
}

/** `rule`: the one that asks; another one where the call would pass without a question by now. */
export function meaningHashesOf(call: Call, parts: DecidingParts, rule = call.decision.rule): MeaningHashes {
  return hashMeaning(meaningOf(call, parts), rule, call.roots);
}

export async function findGrant(call: Call, parts: DecidingParts): Promise<Grant | undefined> {
  const { id, owner } = call.caller;
  const own = await findGrantOf(id, call, parts);
  return own ?? (owner === undefined ? undefined : findGrantOf(agentsOf(owner), call, parts));
}

/** A lasting yes to an agent holds for the later sessions of the same owner, not for the owner's own calls. */
function agentsOf(owner: string): string {
  return `agents-of:${owner}`;
}

function findGrantOf(
  caller: string,
  call: Call,
  parts: DecidingParts,
): Grant | undefined | Promise<Grant | undefined> {
  return parts.grants.find({
    caller,
    toolId: call.planned.id,
    definitionHash: call.registered?.definitionHash ?? "foreign",
    sessionId: call.sessionId,
    project: call.roots[0] ?? call.cwd,
    inputHash: () => fingerprint(call.input),
    meaningHashes: () => Object.values(meaningHashesOf(call, parts)),
    now: parts.clock.now(),
    exactOnly: asksBecauseOfInput(call) || leadsOut(call),
  });
}

/** By a default of the gate, such as a path outside or a command that nobody understands. */
function asksBecauseOfInput({ decision }: Call): boolean {
  return decision.rule?.kind === "default" && decision.rule.name !== "ask";
}

/** Whatever rule asks: a yes to any input of a tool is no yes to leaving the workspace. */
function leadsOut({ subjects = [] }: Call): boolean {
  return subjects.some(
    ({ path, opaque }) =>
      opaque !== undefined || path === "unknown" || path?.inside === false || path?.protected !== undefined,
  );
}

/** Undefined: the yes holds once. For what executes, a lasting yes covers one input; more is a policy. */
export function grantFrom(
  request: ApprovalRequest,
  answer: ApprovalAnswer,
  { owner, permission, inputHash, meaning }: Granted,
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
    caller: owner === undefined || scope === "session" ? request.caller : agentsOf(owner),
    sessionId: scope === "session" ? request.sessionId : undefined,
    project: scope === "project" ? request.project : undefined,
    toolId: request.toolId,
    definitionHash: request.definitionHash,
    inputHash: anyInput ? undefined : inputHash,
    meaningHash: anyInput ? meaning.tool : scope === "user" ? meaning.anywhere : meaning.here,
    by: answer.by,
    createdAt,
    expiresAt: answer.expiresInMs === undefined ? undefined : createdAt + answer.expiresInMs,
  });
}

/** What was let through, as it is now: the input may be an edited one. */
export interface Granted {
  /** Of the agent that asked. */
  readonly owner: string | undefined;
  readonly permission: Permission;
  readonly inputHash: string;
  readonly meaning: MeaningHashes;
}

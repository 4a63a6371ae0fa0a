/** What a check means for the agent that asked, in its own form. */
import {
  type AgentDecision,
  defaultReason,
  type HookAgent,
  type HookAnswer,
  type HookEvent,
} from "../../../agents/agent-hook.ts";
import { describeRule } from "../../../core/call/describe-rule.ts";
import type { CheckResult } from "../../../core/call/outcome.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import { visible } from "../../../core/text/visible.ts";
import type { LookedBack } from "../../../gate/create-checker.ts";
import type { WhoAsks } from "./who-asks.ts";

export interface Warnings {
  /** For the person: what was ignored, what could not be kept. */
  readonly warnings: readonly string[];
  /** The configuration is broken and older rules hold: everybody has to know, on every call. */
  readonly outdated?: string | undefined;
}

export interface CheckedCall {
  readonly agent: HookAgent;
  /** As the agent sent it. */
  readonly input: JsonObject;
  readonly asks: WhoAsks;
}

export function answerCheck(call: CheckedCall, result: CheckResult, told: Warnings): HookAnswer {
  const { warnings, outdated } = told;
  const all = outdated === undefined ? warnings : [outdated, ...warnings];
  const decision = toDecision(call, result, all);
  const { verdict, reason } = decision;
  const isOutdated = verdict === "deny" && outdated !== undefined;
  const answer = write(
    call.agent,
    isOutdated ? { ...decision, reason: `${reason}\n${outdated}` } : decision,
    call.input,
  );
  return result.verdict === "ask" && verdict === "deny" ? { ...answer, nobodyAsked: true } : answer;
}

/** After a call: what its hooks said. `problem`: what they could not do, for the model. */
export function answerAfter(
  agent: HookAgent,
  event: HookEvent,
  said: Partial<Pick<LookedBack, "contexts" | "taskEnd">> & {
    readonly problem?: string | undefined;
  } & Partial<Warnings>,
): HookAnswer {
  const { contexts = [], taskEnd, problem, warnings = [] } = said;
  const decision: AgentDecision = {
    verdict: "abstain",
    contexts,
    warnings,
    ...(problem !== undefined && { reason: problem }),
    ...(taskEnd !== undefined && { taskEnd: taskEnd.message }),
  };
  return write(agent, decision, {}, event);
}

/** For a call that could not be checked at all. */
export function answerDenied(agent: HookAgent, reason: string): HookAnswer {
  return write(agent, { verdict: "deny", reason, contexts: [], warnings: [] }, {});
}

/**
 * Texts hold what rules, files and calls brought along: model and terminal get them with nothing hidden in
 * them. The input that the agent shall run stays as it is.
 */
function write(
  agent: HookAgent,
  decision: AgentDecision,
  asked: JsonObject,
  event: HookEvent = "PreToolUse",
): HookAnswer {
  const { reason, taskEnd, contexts, warnings } = decision;
  const shown: AgentDecision = {
    ...decision,
    ...(reason !== undefined && { reason: showAll(reason) }),
    ...(taskEnd !== undefined && { taskEnd: showAll(taskEnd) }),
    contexts: contexts.map(showAll),
    warnings: warnings.map(showAll),
  };
  return agent.write(event, shown, asked);
}

/** Most texts are plain; then nothing has to be loaded for them. */
const plain = /^[\n\t\x20-\x7e]*$/;

function showAll(text: string): string {
  return plain.test(text) ? text : visible(text, { keepNewlines: true });
}

function toDecision(call: CheckedCall, result: CheckResult, warnings: readonly string[]): AgentDecision {
  const { verdict, contexts, input } = result;
  const changed = input === undefined ? {} : { input: input as JsonObject };
  if (verdict === "ask" && call.asks.agent !== "never")
    return { verdict, reason: reasonOf({ ...result, verdict: "deny" }), contexts, warnings, ...changed };
  if (verdict === "deny" || verdict === "ask")
    return { verdict: "deny", reason: reasonOf(result), contexts, warnings };
  return { verdict, contexts, warnings, ...changed };
}

/** Whether a server runs or not: a call can miss it. */
export const howToBeAsked =
  "A person can answer while toolgate serve runs: toolgate approvals shows what waits.";

/** For the model: why, what to do instead, and which rule said so. */
export function reasonOf({
  verdict,
  message = defaultReason,
  hint,
  error,
  rule,
}: Pick<CheckResult, "verdict" | "message" | "hint" | "error" | "rule">): string {
  const told =
    verdict === "ask"
      ? `A person's approval would be needed: ${message}\nNobody could be asked, so the call is denied. ${howToBeAsked}`
      : message;
  // A route's message is the advice; "do what the message says" adds nothing.
  const advice = error === undefined || error.code === "route_blocked" || !hint ? [] : [`Hint: ${hint}`];
  return [told, ...advice, ...(rule === undefined ? [] : [describeRule(rule)])].join("\n");
}

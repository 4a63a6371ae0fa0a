/** What a check means for the agent that asked, in its own form or in the neutral one of exit codes. */
import type { AgentDecision, HookAnswer } from "../../../agents/agent-decision.ts";
import { writeAnswer } from "../../../agents/claude-code/write-answer.ts";
import { describeRule } from "../../../core/call/describe-rule.ts";
import type { CheckResult } from "../../../core/call/outcome.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import { visible } from "../../../core/text/visible.ts";

export type HookAgent = "claude-code";

export interface Warnings {
  readonly warnings: readonly string[];
  /** Older rules hold: also the model must know why it was stopped by a rule that is no longer written anywhere. */
  readonly outdated?: string | undefined;
}

export function answerCheck(
  agent: HookAgent | undefined,
  result: CheckResult,
  asked: JsonObject,
  { warnings, outdated }: Warnings,
): HookAnswer {
  const decision = toDecision(result, [...(outdated === undefined ? [] : [outdated]), ...warnings]);
  const told =
    decision.verdict === "deny" && outdated !== undefined ? withMore(decision, outdated) : decision;
  return write(agent, told, asked);
}

/** For a call that could not be checked at all. */
export function answerDenied(agent: HookAgent | undefined, reason: string): HookAnswer {
  const decision: AgentDecision = { verdict: "deny", reason, contexts: [], warnings: [] };
  return write(agent, decision, {});
}

/**
 * Texts hold what rules, files and calls brought along: a model and a terminal get them with nothing hidden in them. The input that the
 * agent shall run stays as it is.
 */
function write(agent: HookAgent | undefined, decision: AgentDecision, asked: JsonObject): HookAnswer {
  const { reason, contexts, warnings } = decision;
  const shown: AgentDecision = {
    ...decision,
    ...(reason !== undefined && { reason: showAll(reason) }),
    contexts: contexts.map(showAll),
    warnings: warnings.map(showAll),
  };
  return agent === undefined ? writeNeutral(shown, asked) : writeAnswer("PreToolUse", shown);
}

/** Most texts are plain; then nothing has to be loaded for them. */
const plain = /^[\n\t\x20-\x7e]*$/;

function showAll(text: string): string {
  return plain.test(text) ? text : visible(text, { keepNewlines: true });
}

function toDecision(result: CheckResult, warnings: readonly string[]): AgentDecision {
  const { verdict, contexts, input } = result;
  if (verdict === "deny" || verdict === "ask")
    return { verdict: "deny", reason: reasonOf(result), contexts, warnings };
  return { verdict, contexts, warnings, ...(input !== undefined && { input: input as JsonObject }) };
}

/** For the model: why, what to do instead, and which rule said so. */
export function reasonOf({
  verdict,
  message = "Blocked by toolgate.",
  hint,
  error,
  rule,
}: Pick<CheckResult, "verdict" | "message" | "hint" | "error" | "rule">): string {
  const told =
    verdict === "ask"
      ? `A person's approval would be needed: ${message}\nNobody can be asked while no toolgate serve runs, so the call is denied.`
      : message;
  // A route's message is the advice; "do what the message says" adds nothing.
  const advice = error === undefined || error.code === "route_blocked" || !hint ? [] : [`Hint: ${hint}`];
  return [told, ...advice, ...(rule === undefined ? [] : [describeRule(rule)])].join("\n");
}

function withMore(decision: AgentDecision, more: string): AgentDecision {
  return { ...decision, reason: `${decision.reason}\n${more}` };
}

/** Exit 0 and silence, or exit 2 and the reason: all that a bare process can say. */
function writeNeutral({ verdict, reason, input, warnings }: AgentDecision, asked: JsonObject): HookAnswer {
  const why = reason ?? "Blocked by toolgate.";
  // What the reason holds already is not said twice.
  const news = verdict === "deny" ? warnings.filter((warning) => !why.includes(warning)) : warnings;
  const told = news.map((warning) => `${warning}\n`).join("");
  if (verdict === "deny") return { stdout: "", stderr: `${why}\n${told}`, exitCode: 2 };
  // A new input cannot be handed over by an exit code: the agent has to make the call again.
  if (input !== undefined) return { stdout: "", stderr: `${told}${insteadOf(asked, input)}\n`, exitCode: 2 };
  return { stdout: "", stderr: told, exitCode: 0 };
}

function insteadOf(asked: JsonObject, input: JsonObject): string {
  const changed = Object.keys(input).filter((key) => input[key] !== asked[key]);
  const [only = ""] = changed;
  const text = changed.length === 1 && typeof input[only] === "string" ? input[only] : JSON.stringify(input);
  return showAll(`A rule changes this call; run this instead: ${text as string}`);
}

/** A decision as our plugins read it; each of them says it to its agent. */
import type { JsonObject } from "../../core/input/json.ts";
import {
  type AgentDecision,
  blocking,
  defaultReason,
  type HookAnswer,
  type HookEvent,
  silence,
} from "../agent-hook.ts";
import { hasText, joined } from "../json-answer.ts";
import { addsFields, runInstead } from "../run-instead.ts";
import type { PluginAnswer } from "./plugin-answer.ts";

export function writePluginAnswer(event: HookEvent, decision: AgentDecision, asked: JsonObject): HookAnswer {
  const { verdict, reason, input, taskEnd, contexts, warnings } = decision;
  const isBefore = event === "PreToolUse";
  // `ask` reaches no agent without a prompt of its own.
  const refuse = (deny: string) =>
    blocking(`${deny}\n`, lineOf({ deny, ...joined("notice", warnings, "\n") }));
  if (isBefore && verdict !== "allow" && verdict !== "abstain")
    return refuse(hasText(reason) ? reason : defaultReason);
  if (isBefore && input !== undefined && addsFields(asked, input)) return refuse(runInstead(asked, input));
  const said: PluginAnswer = {
    ...(isBefore && input !== undefined && { input }),
    ...(!isBefore && hasText(taskEnd) && { end: taskEnd }),
    // What the hooks could not do after a call is for the model, too.
    ...joined("context", isBefore || reason === undefined ? contexts : [reason, ...contexts], "\n\n"),
    ...joined("notice", warnings, "\n"),
  };
  if (Object.keys(said).length === 0) return silence;
  return { ...silence, stdout: lineOf(said), ...(said.input !== undefined && { mustArrive: true }) };
}

function lineOf(said: PluginAnswer): string {
  return `${JSON.stringify(said)}\n`;
}

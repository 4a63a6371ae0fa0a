/** A decision in the words of Claude Code: one JSON object or nothing. A stray letter lets the tool run. */
import type { JsonObject } from "../../core/input/json.ts";
import {
  type AgentDecision,
  blocking,
  defaultReason,
  type HookAnswer,
  type HookEvent,
  silence,
} from "../agent-hook.ts";
import { hasText, joined, sayJson } from "../json-answer.ts";

export function writeAnswer(event: HookEvent, decision: AgentDecision): HookAnswer {
  if (event !== "PreToolUse") return writeAfter(event, decision);
  const { contexts, warnings } = decision;
  const said = { ...spoken(decision), ...joined("additionalContext", contexts, "\n\n") };
  const output: JsonObject = {
    ...(Object.keys(said).length > 0 && { hookSpecificOutput: { hookEventName: event, ...said } }),
    ...joined("systemMessage", warnings, "\n"),
  };
  // Nothing to say must stay nothing: an `allow` would skip the client's own prompts.
  if (Object.keys(output).length === 0) return silence;
  const stdout = `${JSON.stringify(output)}\n`;
  // The JSON gives the model a clean reason. If anything spoils it, the exit code still blocks, with stderr.
  if (isDeny(decision)) return blocking(`${reasonOf(decision)}\n`, stdout);
  const isChanged = decision.input !== undefined || decision.verdict === "ask";
  return { ...silence, stdout, ...(isChanged && { mustArrive: true }) };
}

/** The tool has run, and nothing could undo that: no exit code, which would only show an error. */
function writeAfter(event: HookEvent, { contexts, warnings, reason, taskEnd }: AgentDecision): HookAnswer {
  const context = joined("additionalContext", contexts, "\n\n");
  const output: JsonObject = {
    // It ends the turn: the model is not asked again before the person says something.
    ...(taskEnd !== undefined && { continue: false, stopReason: taskEnd }),
    ...(hasText(reason) && { decision: "block", reason }),
    ...(Object.keys(context).length > 0 && { hookSpecificOutput: { hookEventName: event, ...context } }),
    ...joined("systemMessage", warnings, "\n"),
  };
  return sayJson(output);
}

function spoken(decision: AgentDecision): JsonObject {
  const { verdict, reason, input } = decision;
  if (isDeny(decision)) return { permissionDecision: "deny", permissionDecisionReason: reasonOf(decision) };
  if (verdict === "ask")
    return { permissionDecision: "ask", permissionDecisionReason: reasonOf(decision), ...changed(input) };
  return {
    ...(verdict === "allow" && { permissionDecision: "allow" }),
    ...(verdict === "allow" && hasText(reason) && { permissionDecisionReason: reason }),
    ...changed(input),
  };
}

function changed(input: JsonObject | undefined): JsonObject {
  return input === undefined ? {} : { updatedInput: input };
}

/** Whatever is not one of the other verdicts blocks. */
function isDeny({ verdict }: AgentDecision): boolean {
  return verdict !== "allow" && verdict !== "abstain" && verdict !== "ask";
}

function reasonOf({ reason }: AgentDecision): string {
  return hasText(reason) ? reason : defaultReason;
}

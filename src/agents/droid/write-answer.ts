/**
 * A decision in the words of droid: Claude Code's form, of which it leaves out `decision` and contexts before a
 * call. Of several hooks the first decision counts, but exit code 2 counts in any case: a denial says both.
 */
import type { JsonObject } from "../../core/input/json.ts";
import {
  type AgentDecision,
  blocking,
  defaultReason,
  type HookAnswer,
  type HookEvent,
  silence,
} from "../agent-hook.ts";
import { runInstead } from "../run-instead.ts";

export function writeDroidAnswer(event: HookEvent, decision: AgentDecision, asked: JsonObject): HookAnswer {
  if (event === "UserPromptSubmit") return silence;
  return event === "PreToolUse" ? writeBefore(decision, asked) : writeAfter(event, decision);
}

function writeBefore({ verdict, reason, input, contexts }: AgentDecision, asked: JsonObject): HookAnswer {
  if (verdict !== "allow" && verdict !== "abstain") return deny([reason ?? "", ...contexts]);
  // A new input is laid over the old one: what a rule took out of it would stay.
  if (input !== undefined && Object.keys(asked).some((name) => !Object.hasOwn(input, name)))
    return deny([runInstead(asked, input), ...contexts]);
  const said: JsonObject = {
    ...(verdict === "allow" && { permissionDecision: "allow" }),
    ...(input !== undefined && { updatedInput: input }),
  };
  // Nothing to say must stay nothing: an `allow` would skip droid's own prompts.
  const answer = print("PreToolUse", said);
  return input === undefined ? answer : { ...answer, mustArrive: true };
}

/** What would be said beside a denial is said in it: there is no other place. */
function deny(texts: readonly string[]): HookAnswer {
  const reason = joined(texts) || defaultReason;
  const { stdout } = print("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: reason });
  return blocking(`${reason}\n`, stdout);
}

/** The tool has run. `continue: false` ends the turn before the model reads anything else. */
function writeAfter(event: HookEvent, { contexts, reason = "", taskEnd }: AgentDecision): HookAnswer {
  const context = joined([...contexts, reason]);
  return print(event, context === "" ? {} : { additionalContext: context }, {
    ...(taskEnd !== undefined && { continue: false, stopReason: taskEnd }),
  });
}

function print(event: HookEvent, said: JsonObject, beside: JsonObject = {}): HookAnswer {
  const output: JsonObject = {
    ...(Object.keys(said).length > 0 && { hookSpecificOutput: { hookEventName: event, ...said } }),
    ...beside,
  };
  return Object.keys(output).length === 0 ? silence : { ...silence, stdout: `${JSON.stringify(output)}\n` };
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text.trim() !== "").join("\n\n");
}

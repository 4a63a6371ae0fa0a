/**
 * A decision in the words of Codex. It throws a whole answer away, and runs the call, for one field that it
 * does not expect, and also for an `allow` that changes nothing. Measured with 0.166.0.
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
import { hasText, joined } from "../json-answer.ts";
import { runInstead } from "../run-instead.ts";

export function writeAnswer(event: HookEvent, decision: AgentDecision, asked: JsonObject): HookAnswer {
  if (event !== "PreToolUse") return writeAfter(event, decision);
  const { verdict, input, contexts, warnings } = decision;
  if (verdict !== "allow" && verdict !== "abstain") return deny(decision);
  // What was typed into a shell would have to be made a line of it again.
  if (input !== undefined && typeof asked.line === "string")
    return deny({ ...decision, reason: runInstead(asked, input) });
  const changed = input === undefined ? {} : withoutFoundPatch(asked, input);
  const said: JsonObject = {
    ...(input !== undefined && { permissionDecision: "allow", updatedInput: changed }),
    ...joined("additionalContext", contexts, "\n\n"),
  };
  const answer = print(event, said, warnings);
  return input === undefined ? answer : { ...answer, mustArrive: true };
}

/** As `read` adds it to a line that holds more than a patch. A field of this name of another tool stays. */
function withoutFoundPatch(asked: JsonObject, input: JsonObject): JsonObject {
  if (asked.patch === undefined || asked.patch !== asked.command) return input;
  const { patch: _, ...changed } = input;
  return changed;
}

/**
 * By exit code: nothing that somebody prints to standard output can spoil it. Codex reads only standard error
 * then, and runs the call if there is nothing; the JSON is for whoever tries the hook out.
 */
function deny({ reason, contexts, warnings }: AgentDecision): HookAnswer {
  const why = hasText(reason) ? reason : defaultReason;
  const told = [why, ...[...contexts, ...warnings].filter((text) => hasText(text) && !why.includes(text))];
  const said = { permissionDecision: "deny", permissionDecisionReason: told.join("\n\n") };
  return blocking(`${told.join("\n\n")}\n`, print("PreToolUse", said, []).stdout);
}

/**
 * Our text takes the place of what the tool answered, which the model then does not read. (`continue: false`
 * would do the same: it does not end the turn.)
 */
function writeAfter(event: HookEvent, { contexts, warnings, reason, taskEnd }: AgentDecision): HookAnswer {
  if (event === "UserPromptSubmit") return print(event, {}, warnings);
  const said = [taskEnd, reason].filter(hasText).join("\n\n");
  const instead = said === "" ? {} : { decision: "block", reason: said };
  return print("PostToolUse", joined("additionalContext", contexts, "\n\n"), warnings, instead);
}

function print(
  hookEventName: HookEvent,
  said: JsonObject,
  warnings: readonly string[],
  more: JsonObject = {},
): HookAnswer {
  const output: JsonObject = {
    ...more,
    ...(Object.keys(said).length > 0 && { hookSpecificOutput: { hookEventName, ...said } }),
    ...joined("systemMessage", warnings, "\n"),
  };
  return Object.keys(output).length === 0 ? silence : { ...silence, stdout: `${JSON.stringify(output)}\n` };
}

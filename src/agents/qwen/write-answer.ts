/**
 * A decision in the words of Qwen Code. With exit code 2 it reads standard error alone, as JSON where it is an
 * object; without a text there, the call runs. It takes no new input before a call, though it documents that.
 */
import type { JsonObject } from "../../core/input/json.ts";
import {
  type AgentDecision,
  blocking,
  defaultReason,
  type HookAnswer,
  type HookEvent,
} from "../agent-hook.ts";
import { hasText, joined, sayJson } from "../json-answer.ts";
import { runInstead } from "../run-instead.ts";

export function writeAnswer(event: HookEvent, decision: AgentDecision, asked: JsonObject): HookAnswer {
  if (event !== "PreToolUse") return writeAfter(event, decision);
  const { verdict, input } = decision;
  if (verdict !== "allow" && verdict !== "abstain") return deny(decision, decision.reason);
  if (input !== undefined) return deny(decision, runInstead(asked, input));
  // An `allow` would win over the denial of a hook that was asked before us.
  return sayJson(shown(decision));
}

/**
 * Where several hooks answer, the last `permissionDecision` wins, and one of an extension or of a sub-agent's file
 * comes after ours. `continue: false` cannot be taken back; before a call it ends nothing but the call.
 */
function deny(decision: AgentDecision, why: string | undefined): HookAnswer {
  const reason = [why, ...decision.contexts].filter(hasText).join("\n\n") || defaultReason;
  const denial = {
    continue: false,
    stopReason: reason,
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: reason,
    },
    ...shown(decision),
  };
  const text = `${JSON.stringify(denial)}\n`;
  return blocking(text, text);
}

/** The tool has run. Nothing ends the turn; `continue: false` puts its text in the place of the tool's answer. */
function writeAfter(event: HookEvent, decision: AgentDecision): HookAnswer {
  // Here it would take a person's words away.
  if (event === "UserPromptSubmit") return sayJson(shown(decision));
  const { contexts, reason, taskEnd } = decision;
  const context = joined("additionalContext", contexts);
  const stop = taskEnd ?? reason;
  return sayJson({
    ...(hasText(stop) && { continue: false, stopReason: stop }),
    ...(Object.keys(context).length > 0 && { hookSpecificOutput: { hookEventName: event, ...context } }),
    ...shown(decision),
  });
}

/** For the person. */
function shown({ warnings }: AgentDecision): JsonObject {
  return joined("systemMessage", warnings);
}

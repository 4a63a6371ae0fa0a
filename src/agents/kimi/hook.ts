/**
 * What a call of Kimi Code needs. A denial is exit code 2 with its text on standard error; at exit code 0 it is
 * `hookSpecificOutput.permissionDecision: "deny"`. Nothing else is taken: no new input, no context before or after
 * a call, no `ask` (the call runs), no top-level `decision` (the call runs).
 */
import type { JsonObject } from "../../core/input/json.ts";
import {
  type AgentDecision,
  type AgentHook,
  blocking,
  defaultReason,
  type HookAnswer,
  silence,
} from "../agent-hook.ts";
import { runInstead } from "../run-instead.ts";
import { readKimiCall } from "./read-call.ts";

export const kimiHook: AgentHook = {
  read: readKimiCall,
  // It does not wait for a hook after a call, and a text for a new task would become part of the person's words.
  write: (event, decision, asked) => (event === "PreToolUse" ? writeBefore(decision, asked) : silence),
};

function writeBefore({ verdict, reason, input, contexts }: AgentDecision, asked: JsonObject): HookAnswer {
  if (verdict !== "allow" && verdict !== "abstain") return deny([reason ?? "", ...contexts]);
  if (input !== undefined) return deny([runInstead(asked, input), ...contexts]);
  return silence;
}

/** What would be said beside a denial is said in it: there is no other place. */
function deny(texts: readonly string[]): HookAnswer {
  const permissionDecisionReason = texts.filter((text) => text.trim() !== "").join("\n\n") || defaultReason;
  const said = { hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason } };
  return blocking(`${permissionDecisionReason}\n`, `${JSON.stringify(said)}\n`);
}

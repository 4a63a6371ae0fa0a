/**
 * What a call of Crush needs, by its documentation (docs/hooks/README.md in charmbracelet/crush, as of September 2026).
 * At exit code 2 standard error is the reason and standard output is ignored; at 0 standard output is an envelope.
 */
import type { JsonObject } from "../../core/input/json.ts";
import { type AgentDecision, type AgentHook, blocking, type HookAnswer, silence } from "../agent-hook.ts";
import { reasonOf } from "../claude-form.ts";
import { runInstead } from "../run-instead.ts";
import { readCrushCall } from "./read-call.ts";

export const crushHook: AgentHook = {
  read: readCrushCall,
  // There is no other event.
  write: (event, decision, asked) => (event === "PreToolUse" ? writeBefore(decision, asked) : silence),
};

function writeBefore(decision: AgentDecision, asked: JsonObject): HookAnswer {
  const { verdict, input, contexts } = decision;
  const texts = contexts.filter((text) => text.trim() !== "");
  if (verdict !== "allow" && verdict !== "abstain") return deny([reasonOf(decision), ...texts]);
  // A new input is laid over the old one: what a rule took out of it would stay.
  if (input !== undefined && Object.keys(asked).some((name) => !Object.hasOwn(input, name)))
    return deny([runInstead(asked, input), ...texts]);
  const said: JsonObject = {
    // It skips Crush's own prompt: only where a rule allows the call.
    ...(verdict === "allow" && { decision: "allow" }),
    ...(input !== undefined && { updated_input: input }),
    ...(texts.length > 0 && { context: texts }),
  };
  if (Object.keys(said).length === 0) return silence;
  return {
    ...silence,
    stdout: `${JSON.stringify(said)}\n`,
    ...(input !== undefined && { mustArrive: true }),
  };
}

function deny(texts: readonly string[]): HookAnswer {
  const reason = texts.join("\n\n");
  return blocking(`${reason}\n`, `${JSON.stringify({ decision: "deny", reason })}\n`);
}

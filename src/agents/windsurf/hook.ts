/**
 * What a call of Windsurf needs, by its documentation (docs.windsurf.com/windsurf/cascade/hooks, as of September
 * 2026): one event for each kind of call. Only exit code 2 stops a call; the agent reads standard error, and the
 * person standard output. Nothing else is taken.
 */
import type { JsonObject } from "../../core/input/json.ts";
import { type AgentDecision, type AgentHook, blocking, type HookAnswer, silence } from "../agent-hook.ts";
import { reasonOf } from "../claude-form.ts";
import { runInstead } from "../run-instead.ts";
import { readWindsurfCall } from "./read-call.ts";

export const windsurfHook: AgentHook = {
  read: readWindsurfCall,
  write: (event, decision, asked) => (event === "PreToolUse" ? writeBefore(decision, asked) : silence),
};

function writeBefore(decision: AgentDecision, asked: JsonObject): HookAnswer {
  const { verdict, input, contexts } = decision;
  if (verdict !== "allow" && verdict !== "abstain") return deny([reasonOf(decision), ...contexts]);
  return input === undefined ? silence : deny([runInstead(asked, input), ...contexts]);
}

function deny(texts: readonly string[]): HookAnswer {
  const reason = `${texts.filter((text) => text.trim() !== "").join("\n\n")}\n`;
  return blocking(reason, reason);
}

/** The bare form, for whoever has no adapter: a call as JSON, and exit codes as the answer. */
import type { JsonObject } from "../../core/input/json.ts";
import {
  type AgentDecision,
  blocking,
  defaultReason,
  type HookAgent,
  type HookAnswer,
} from "../agent-hook.ts";
import { readHookInput } from "../read-hook-input.ts";
import { runInstead } from "../run-instead.ts";

export const neutral: HookAgent = {
  name: "neutral",
  read: readHookInput,
  write: (_event, decision, asked) => writeNeutral(decision, asked),
};

/** Exit 0 and silence, or the blocking exit code and the reason. */
function writeNeutral({ verdict, reason, input, warnings }: AgentDecision, asked: JsonObject): HookAnswer {
  const why = reason ?? defaultReason;
  // What the reason holds already is not said twice.
  const news = verdict === "deny" ? warnings.filter((warning) => !why.includes(warning)) : warnings;
  const told = news.map((warning) => `${warning}\n`).join("");
  if (verdict !== "allow" && verdict !== "abstain") return blocking(`${why}\n${told}`);
  // A new input cannot be handed over by an exit code: the agent has to make the call again.
  if (input !== undefined) return blocking(`${told}${runInstead(asked, input)}\n`);
  return { stdout: "", stderr: told, exitCode: 0 };
}

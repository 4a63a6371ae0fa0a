/** What is answered to a coding agent that runs the tool itself: the same for all agents, put into each one's own words by its emitter. */
import type { JsonObject } from "../core/input/json.ts";

export interface AgentDecision {
  /** `abstain`: say nothing, the agent's own prompts decide. There is no `ask`: some agents run the call then, others hang. */
  readonly verdict: "allow" | "deny" | "abstain";
  /** For the model: why, and what to do instead. */
  readonly reason?: string;
  /** The whole new input, when a rule changed it. */
  readonly input?: JsonObject;
  /** What the conversation should show to the model. */
  readonly contexts: readonly string[];
  /** What the person should know; the model does not see it. */
  readonly warnings: readonly string[];
}

/** What a hook process leaves behind. */
export interface HookAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Who is asked about a call, and who decides where no rule can be sure: by the settings and by the agent's own prompt. */
import type { AgentPlace } from "../../../agents/agent.ts";
import type { HookAgent, HookInput } from "../../../agents/agent-hook.ts";
import type { AskingSettings } from "../../../config/settings/asking-settings.ts";
import type { Unsure } from "../../../core/call/call.ts";

export interface WhoAsks {
  /** When the agent's own prompt is the one that asks. Otherwise a question waits on our queue, if there is one. */
  readonly agent: "never" | "unwatched" | "always";
  readonly unsure: Unsure;
}

export interface AskingCall {
  readonly agent: HookAgent;
  readonly input: HookInput;
  readonly place: AgentPlace;
}

export function whoAsks({ agent, input, place }: AskingCall, said: AskingSettings = {}): WhoAsks {
  const prompt = agent.ownPrompt?.(input, place);
  const unsure = said.unsure ?? (prompt?.isOn === true ? "abstain" : "ask");
  if (prompt?.asks !== true || said.ask === "queue") return { agent: "never", unsure };
  return { agent: said.ask === "agent" ? "always" : "unwatched", unsure };
}

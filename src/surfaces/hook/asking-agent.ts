/** Who asks, as the hook's input says it. */
import type { HookAgent, HookInput } from "../../agents/agent-hook.ts";
import type { AskingAgent } from "../../core/call/asking-agent.ts";

export function askingAgent(
  { name }: Pick<HookAgent, "name">,
  { agentVersion: version, agentTool: tool, agentId: id, agentType: type }: HookInput,
): AskingAgent {
  const isSub = id !== undefined || type !== undefined;
  return {
    name,
    ...(version !== undefined && { version }),
    ...(tool !== undefined && { tool }),
    ...(isSub && { subAgent: { id, type } }),
  };
}

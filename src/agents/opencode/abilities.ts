/** What OpenCode and Kilo let a plugin do. */
import type { AgentAbilities } from "../agent-setup.ts";

export const opencodeAbilities: Omit<AgentAbilities, "measured"> = {
  deny: "told",
  ask: "queue",
  contextBefore: true,
  contextAfter: true,
  rewrite: true,
  callId: true,
  subAgents: "hooked",
  onHookFailure: "denies",
  holes: [
    "--pure starts it without plugins.",
    "A plugin file that was damaged is dropped without a word; doctor compares it.",
    "Another plugin that comes after ours may still change a call that was checked.",
    "With the experimental code mode, calls of MCP tools inside of a program are not seen one by one.",
  ],
};

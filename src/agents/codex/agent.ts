/** The adapter of Codex. Measured with 0.166.0. */
import type { AgentAdapter } from "../agent.ts";

export const codex: AgentAdapter = {
  name: "codex",
  title: "Codex",
  startsInProject: true,
  variables: [],
  sessionVariables: [],
  lastWords: (permissionDecisionReason) => {
    const denial = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason };
    return `${JSON.stringify({ hookSpecificOutput: denial })}\n`;
  },
  loadHook: async () => (await import("./hook.ts")).codexHook,
  loadSetup: async () => (await import("./setup.ts")).codexSetup,
};

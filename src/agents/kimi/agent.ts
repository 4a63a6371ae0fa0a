/** The adapter of Kimi Code. Measured with 2.1.0. */
import type { AgentAdapter } from "../agent.ts";

export const kimi: AgentAdapter = {
  name: "kimi",
  title: "Kimi Code",
  variables: [],
  sessionVariables: [],
  lastWords: (permissionDecisionReason) => {
    const denial = { permissionDecision: "deny", permissionDecisionReason };
    return `${JSON.stringify({ hookSpecificOutput: denial })}\n`;
  },
  loadHook: async () => (await import("./hook.ts")).kimiHook,
  loadSetup: async () => (await import("./setup.ts")).kimiSetup,
};

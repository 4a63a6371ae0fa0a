/** The adapter of Qoder, by its documentation. It was not run. */
import type { AgentAdapter } from "../agent.ts";

export const qoder: AgentAdapter = {
  name: "qoder",
  title: "Qoder",
  variables: [],
  sessionVariables: [],
  lastWords: (permissionDecisionReason) => {
    const denial = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason };
    return `${JSON.stringify({ hookSpecificOutput: denial })}\n`;
  },
  loadHook: async () => (await import("./hook.ts")).qoderHook,
  loadSetup: async () => (await import("./setup.ts")).qoderSetup,
};

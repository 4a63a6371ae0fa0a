/** The adapter of Factory's droid. Measured with 0.225.2. */
import type { AgentAdapter } from "../agent.ts";

export const droid: AgentAdapter = {
  name: "droid",
  title: "Factory droid",
  projectVariable: "FACTORY_PROJECT_DIR",
  variables: ["FACTORY_PROJECT_DIR"],
  sessionVariables: ["FACTORY_PROJECT_DIR"],
  lastWords: (permissionDecisionReason) => {
    const denial = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason };
    return `${JSON.stringify({ hookSpecificOutput: denial })}\n`;
  },
  loadHook: async () => (await import("./hook.ts")).droidHook,
  loadSetup: async () => (await import("./setup.ts")).droidSetup,
};

/** The adapter of Copilot CLI. Measured with 1.0.102. */
import type { AgentAdapter } from "../agent.ts";

export const copilot: AgentAdapter = {
  name: "copilot",
  title: "Copilot CLI",
  projectVariable: "COPILOT_PROJECT_DIR",
  variables: ["COPILOT_HOME", "COPILOT_PROJECT_DIR"],
  sessionVariables: ["COPILOT_PROJECT_DIR"],
  lastWords: (permissionDecisionReason) =>
    `${JSON.stringify({ permissionDecision: "deny", permissionDecisionReason })}\n`,
  loadHook: async () => (await import("./hook.ts")).copilotHook,
  loadSetup: async () => (await import("./setup.ts")).copilotSetup,
};

/** The adapter of Grok (Grok Build). Measured with 1.0.41. */
import type { AgentAdapter } from "../agent.ts";

export const grok: AgentAdapter = {
  name: "grok",
  title: "Grok",
  projectVariable: "GROK_WORKSPACE_ROOT",
  variables: ["GROK_HOME", "GROK_WORKSPACE_ROOT"],
  sessionVariables: ["GROK_WORKSPACE_ROOT"],
  sends: (call) => "workspaceRoot" in call && "hookEventName" in call,
  lastWords: (reason) => `${JSON.stringify({ decision: "deny", reason })}\n`,
  loadHook: async () => (await import("./hook.ts")).grokHook,
  loadSetup: async () => (await import("./setup.ts")).grokSetup,
};

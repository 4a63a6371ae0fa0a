/** The adapter of Crush, by its documentation. It was not run. */
import type { AgentAdapter } from "../agent.ts";

export const crush: AgentAdapter = {
  name: "crush",
  title: "Crush",
  projectVariable: "CRUSH_PROJECT_DIR",
  variables: ["CRUSH_PROJECT_DIR"],
  sessionVariables: ["CRUSH_PROJECT_DIR"],
  lastWords: (reason) => `${JSON.stringify({ decision: "deny", reason })}\n`,
  loadHook: async () => (await import("./hook.ts")).crushHook,
  loadSetup: async () => (await import("./setup.ts")).crushSetup,
};

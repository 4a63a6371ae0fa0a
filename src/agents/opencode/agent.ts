/** The adapter of OpenCode: a plugin of ours asks, in the plugin's own form. Measured with 1.18.33. */
import type { AgentAdapter } from "../agent.ts";

export const opencode: AgentAdapter = {
  name: "opencode",
  title: "OpenCode",
  variables: [],
  sessionVariables: [],
  lastWords: (deny) => `${JSON.stringify({ deny })}\n`,
  loadHook: async () => (await import("./hook.ts")).opencodeHook,
  loadSetup: async () => (await import("./setup.ts")).opencodeSetup,
};

/** The adapter of Cline: our plugin and its file hooks ask in the same form. Measured with 3.0.65. */
import type { AgentAdapter } from "../agent.ts";

export const cline: AgentAdapter = {
  name: "cline",
  title: "Cline",
  variables: [],
  sessionVariables: [],
  lastWords: (errorMessage) => `${JSON.stringify({ cancel: true, errorMessage })}\n`,
  loadHook: async () => (await import("./hook.ts")).clineHook,
  loadSetup: async () => (await import("./setup.ts")).clineSetup,
};

/** The adapter of Kilo, which takes plugins of OpenCode. Measured with 7.7.9. */
import type { AgentAdapter } from "../agent.ts";

export const kilo: AgentAdapter = {
  name: "kilo",
  title: "Kilo",
  variables: [],
  sessionVariables: [],
  lastWords: (deny) => `${JSON.stringify({ deny })}\n`,
  loadHook: async () => (await import("./hook.ts")).kiloHook,
  loadSetup: async () => (await import("./setup.ts")).kiloSetup,
};

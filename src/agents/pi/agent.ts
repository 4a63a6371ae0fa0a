/** The adapter of pi: an extension of ours asks, in the extension's own form. Measured with 0.87.1. */
import type { AgentAdapter } from "../agent.ts";

export const pi: AgentAdapter = {
  name: "pi",
  title: "pi",
  variables: [],
  sessionVariables: [],
  lastWords: (deny) => `${JSON.stringify({ deny })}\n`,
  loadHook: async () => (await import("./hook.ts")).piHook,
  loadSetup: async () => (await import("./setup.ts")).piSetup,
};

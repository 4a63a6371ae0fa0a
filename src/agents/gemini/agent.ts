/** The adapter of Gemini CLI. Measured with 0.61.0. */
import type { AgentAdapter } from "../agent.ts";

export const gemini: AgentAdapter = {
  name: "gemini",
  title: "Gemini CLI",
  // The folder that a call names is the project; the variable for it says the same.
  variables: [],
  sessionVariables: [],
  lastWords: (reason) => `${JSON.stringify({ decision: "deny", reason })}\n`,
  loadHook: async () => (await import("./hook.ts")).geminiHook,
  loadSetup: async () => (await import("./setup.ts")).geminiSetup,
};

/** The adapter of Qwen Code. Measured with 0.24.4. */
import type { AgentAdapter } from "../agent.ts";

export const qwen: AgentAdapter = {
  name: "qwen",
  title: "Qwen Code",
  // The folder that a call names is the project; the variable for it says the same.
  variables: [],
  sessionVariables: [],
  lastWords: (reason) => {
    const said = { permissionDecision: "deny", permissionDecisionReason: reason };
    const hookSpecificOutput = { hookEventName: "PreToolUse", ...said };
    return `${JSON.stringify({ continue: false, stopReason: reason, hookSpecificOutput })}\n`;
  },
  loadHook: async () => (await import("./hook.ts")).qwenHook,
  loadSetup: async () => (await import("./setup.ts")).qwenSetup,
};

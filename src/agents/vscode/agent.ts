/** The adapter of agents in VS Code, by its documentation. It starts the entries of Copilot's files. */
import type { AgentAdapter } from "../agent.ts";

export const vscode: AgentAdapter = {
  name: "vscode",
  title: "VS Code",
  variables: [],
  sessionVariables: [],
  // Copilot CLI, which sends nearly the same, is told apart by the reader.
  sends: (call) => "timestamp" in call && !("workspaceRoot" in call),
  lastWords: (permissionDecisionReason) => {
    const denial = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason };
    return `${JSON.stringify({ hookSpecificOutput: denial })}\n`;
  },
  loadHook: async () => (await import("./hook.ts")).vscodeHook,
  loadSetup: async () => (await import("./setup.ts")).vscodeSetup,
};

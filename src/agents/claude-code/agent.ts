/** The adapter of Claude Code. Measured with 2.1.325. */
import type { AgentAdapter } from "../agent.ts";

export const claudeCode: AgentAdapter = {
  name: "claude-code",
  title: "Claude Code",
  projectVariable: "CLAUDE_PROJECT_DIR",
  variables: [
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_PLUGIN_CACHE_DIR",
    "CLAUDE_PLUGIN_ROOT",
    "CLAUDE_PROJECT_DIR",
  ],
  sessionVariables: ["CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT"],
  promptVariables: ["CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_SESSION_ATTENDED"],
  shellVariable: "CLAUDE_CODE_SHELL",
  asksByMcpTool: true,
  isReadByOthers: true,
  lastWords: (permissionDecisionReason) => {
    const denial = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason };
    return `${JSON.stringify({ hookSpecificOutput: denial })}\n`;
  },
  loadHook: async () => (await import("./hook.ts")).hook,
  loadRoutes: () => import("./routes.ts"),
  loadSetup: async () => (await import("./setup.ts")).setup,
};

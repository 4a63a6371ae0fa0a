/** The adapter of Cursor, by its documentation. It was not run. */
import type { AgentAdapter } from "../agent.ts";

export const cursor: AgentAdapter = {
  name: "cursor",
  title: "Cursor",
  projectVariable: "CURSOR_PROJECT_DIR",
  variables: ["CURSOR_PROJECT_DIR"],
  sessionVariables: ["CURSOR_PROJECT_DIR"],
  sends: (call) => "cursor_version" in call,
  lastWords: (reason) =>
    `${JSON.stringify({ permission: "deny", user_message: reason, agent_message: reason })}\n`,
  loadHook: async () => (await import("./hook.ts")).cursorHook,
  loadSetup: async () => (await import("./setup.ts")).cursorSetup,
};

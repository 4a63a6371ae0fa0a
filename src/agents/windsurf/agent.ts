/** The adapter of Windsurf (Cascade), by its documentation. It was not run. */
import type { AgentAdapter } from "../agent.ts";

export const windsurf: AgentAdapter = {
  name: "windsurf",
  title: "Windsurf",
  // Its hooks start in the workspace, by its documentation; the folder in a call is the command's, which the model chooses.
  startsInProject: true,
  variables: [],
  sessionVariables: [],
  lastWords: () => "",
  loadHook: async () => (await import("./hook.ts")).windsurfHook,
  loadSetup: async () => (await import("./setup.ts")).windsurfSetup,
};

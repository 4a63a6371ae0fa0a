/** Sets the agents in VS Code up and examines them: by the file that Copilot CLI reads, too. */
import { join } from "node:path";
import type { AgentAbilities, AgentSetup } from "../agent-setup.ts";
import { hookFile } from "../copilot/hook-file.ts";
import { copilotHome } from "../copilot/places.ts";
import { inSharedFile } from "../copilot/shared-file.ts";
import { jsonTrial } from "../set-up/json-trial.ts";
import { setUpAgent } from "../set-up/set-up-agent.ts";
import { checkSettings, userFolders } from "./check-settings.ts";

const abilities: AgentAbilities = {
  deny: "told",
  ask: "queue",
  contextBefore: true,
  contextAfter: true,
  rewrite: false,
  callId: true,
  subAgents: "not tried",
  onHookFailure: "runs the call",
  holes: [
    "Hooks are a preview: an organisation or chat.hookFilesLocations can switch them off; doctor says so.",
    "Some versions read a person's hooks only where chat.hookFilesLocations names ~/.copilot/hooks.",
    "It shortens the names of MCP servers: a rule for one of them can miss. Put servers behind toolgate.",
    "A hook that hangs, or cannot be started, lets the call run.",
  ],
};

const setUp = setUpAgent({
  name: "vscode",
  title: "VS Code",
  abilities,
  scopes: ["user", "project"],
  signs: { programs: ["code", "code-insiders"], folders: (place) => userFolders(place) },
  hookTrial: jsonTrial(
    (tool_name, tool_input, cwd) => ({
      timestamp: "1970-01-01T00:00:00.000Z",
      cwd,
      sessionId: "toolgate-doctor",
      hookEventName: "PreToolUse",
      transcript_path: "",
      tool_name,
      tool_input,
      tool_use_id: "toolgate-doctor",
    }),
    ({ hookSpecificOutput: said }) => {
      const { permissionDecision, permissionDecisionReason } = (said ?? {}) as Record<string, unknown>;
      return permissionDecision === "deny" ? permissionDecisionReason : undefined;
    },
  ),
  parts: ({ scope, ...place }) => [
    hookFile(
      scope === "project" ? join(place.projectDir, ".github", "hooks") : join(copilotHome(place), "hooks"),
    ),
  ],
  checks: checkSettings,
});

export const vscodeSetup: AgentSetup = inSharedFile(setUp, "Copilot CLI");

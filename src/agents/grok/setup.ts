/** Sets Grok up and examines it. */
import { join } from "node:path";
import type { AgentAbilities, AgentSetup } from "../agent-setup.ts";
import { jsonTrial } from "../set-up/json-trial.ts";
import { setUpAgent } from "../set-up/set-up-agent.ts";
import { checkSwitches } from "./check-switches.ts";
import { client } from "./client.ts";
import { hookFile } from "./hook-file.ts";
import { grokHome } from "./places.ts";

const abilities: AgentAbilities = {
  measured: "1.0.41",
  deny: "told",
  ask: "queue",
  contextBefore: true,
  contextAfter: true,
  rewrite: true,
  callId: true,
  subAgents: "hooked",
  onHookFailure: "runs the call",
  holes: [
    "It does not load the hooks of a project that it does not trust (--trust), and says nothing: install for the user.",
    "Its /hooks list can switch a hook off (~/.grok/disabled-hooks); doctor says so.",
    "A hook that hangs lets the call run after five minutes.",
  ],
};

export const grokSetup: AgentSetup = setUpAgent({
  name: "grok",
  title: "Grok",
  projectVariable: "GROK_WORKSPACE_ROOT",
  abilities,
  scopes: ["user", "project"],
  signs: { programs: ["grok"], folders: (place) => [grokHome(place)] },
  hookTrial: jsonTrial(
    (toolName, toolInput, cwd) => ({
      hookEventName: "pre_tool_use",
      sessionId: "toolgate-doctor",
      cwd,
      workspaceRoot: cwd,
      permissionMode: "default",
      toolName,
      toolUseId: "toolgate-doctor",
      toolInput,
      toolInputTruncated: false,
    }),
    ({ hookSpecificOutput: said }) => {
      const { permissionDecision, permissionDecisionReason } = (said ?? {}) as Record<string, unknown>;
      return permissionDecision === "deny" ? permissionDecisionReason : undefined;
    },
  ),
  parts: ({ scope, ...place }) => [
    hookFile(scope === "project" ? join(place.projectDir, ".grok") : grokHome(place)),
  ],
  checks: checkSwitches,
  client,
});

/** Sets Crush up and examines it, by its documentation. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AgentAbilities, AgentSetup } from "../agent-setup.ts";
import { hooksInJson } from "../set-up/json-hooks.ts";
import { jsonTrial } from "../set-up/json-trial.ts";
import { setUpAgent } from "../set-up/set-up-agent.ts";
import { crushProjectFiles, crushUserFile } from "./places.ts";

const abilities: AgentAbilities = {
  deny: "told",
  ask: "queue",
  contextBefore: true,
  contextAfter: false,
  rewrite: true,
  callId: false,
  subAgents: "not hooked",
  onHookFailure: "runs the call",
  holes: [
    "The calls of its sub-agents (agent, agentic_fetch) come to no hook: deny these tools where that matters.",
    "A hook that crashes, hangs or is killed is taken for a yes.",
    "A project's hooks count before those of the user.",
  ],
};

export const crushSetup: AgentSetup = setUpAgent({
  name: "crush",
  title: "Crush",
  projectVariable: "CRUSH_PROJECT_DIR",
  abilities,
  scopes: ["user", "project"],
  signs: { programs: ["crush"], folders: (place) => [dirname(crushUserFile(place))] },
  hookTrial: jsonTrial(
    (tool_name, tool_input, cwd) => ({
      event: "PreToolUse",
      session_id: "toolgate-doctor",
      cwd,
      tool_name,
      tool_input,
    }),
    ({ decision, reason }) => (decision === "deny" ? reason : undefined),
  ),
  parts: (place) => [
    hooksInJson({
      agent: "crush",
      file: place.scope === "project" ? projectFile(place.projectDir) : crushUserFile(place),
      withComments: true,
      hooks: ({ before }) => ({
        PreToolUse: [{ name: "toolgate", command: before.line, timeout: before.seconds }],
      }),
    }),
  ],
});

function projectFile(projectDir: string): string {
  return crushProjectFiles(projectDir).find((file) => existsSync(file)) ?? join(projectDir, "crush.json");
}

/** Sets Copilot CLI up and examines it. */
import { join } from "node:path";
import type { AgentAbilities, AgentSetup } from "../agent-setup.ts";
import { jsonTrial } from "../set-up/json-trial.ts";
import { setUpAgent } from "../set-up/set-up-agent.ts";
import { checkSwitches } from "./check-switches.ts";
import { client } from "./client.ts";
import { hookFile } from "./hook-file.ts";
import { copilotHome } from "./places.ts";
import { inSharedFile, withNote } from "./shared-file.ts";

const abilities: AgentAbilities = {
  measured: "1.0.102",
  deny: "told",
  ask: "queue",
  contextBefore: true,
  contextAfter: true,
  rewrite: true,
  callId: false,
  subAgents: "hooked",
  onHookFailure: "runs the call",
  holes: [
    "With -p it does not load a project's hooks, and says nothing, unless --trust-folder is given: install for the user.",
    "disableAllHooks in a trusted project's .github/copilot or .claude settings switches all hooks off; doctor says so.",
    "A hook that hangs lets the call run after five minutes.",
    "On Windows the hook is not started: its entry is a line for bash.",
  ],
};

const setUp = setUpAgent({
  name: "copilot",
  title: "Copilot CLI",
  abilities,
  scopes: ["user", "project"],
  signs: { programs: ["copilot"], folders: (place) => [copilotHome(place)] },
  hookTrial: jsonTrial(
    (toolName, toolArgs, cwd) => ({
      sessionId: "toolgate-doctor",
      timestamp: 0,
      cwd,
      toolName,
      toolArgs,
    }),
    ({ permissionDecision, permissionDecisionReason }) =>
      permissionDecision === "deny" ? permissionDecisionReason : undefined,
  ),
  parts: ({ scope, ...place }) => [
    hookFile(
      scope === "project" ? join(place.projectDir, ".github", "hooks") : join(copilotHome(place), "hooks"),
    ),
  ],
  checks: checkSwitches,
  client,
});

const shared = inSharedFile(setUp, "VS Code");

export const copilotSetup: AgentSetup = {
  ...shared,
  install(request) {
    const result = shared.install(request);
    return request.scope === "project" ? withNote(result, untrusted) : result;
  },
};

const untrusted =
  "Copilot CLI loads a project's hooks only in a folder that it trusts, and says nothing: with -p it needs --trust-folder.";

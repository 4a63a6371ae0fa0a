/** Sets Cline up and examines it. */
import { join } from "node:path";
import type { AgentPlace } from "../agent.ts";
import type { AgentClient } from "../agent-client.ts";
import type { AgentAbilities, AgentSetup } from "../agent-setup.ts";
import { pluginFile } from "../in-process/plugin-file.ts";
import { copyForTrial } from "../in-process/trial-copy.ts";
import { jsonTrial } from "../set-up/json-trial.ts";
import { setUpAgent } from "../set-up/set-up-agent.ts";
import { findClineServers } from "./servers.ts";

const abilities: AgentAbilities = {
  measured: "3.0.65",
  deny: "told",
  ask: "queue",
  contextBefore: true,
  contextAfter: true,
  rewrite: true,
  callId: true,
  subAgents: "hooked",
  onHookFailure: "denies",
  holes: [
    "A plugin that is broken, or on a busy machine not loaded within four seconds, is dropped without a word, and calls run unchecked; CLINE_PLUGIN_IMPORT_TIMEOUT_MS=60000 gives it a minute.",
    "Three calls in a row that fail or are denied end the run.",
    "A plugin has three seconds: while a person is asked, the model is told to make the call again.",
    "The extensions for VS Code and JetBrains load no plugins: there only a file hook asks, whose no ends the run.",
    "Calls of sub-agents are seen; those of teammates (team_spawn_teammate) were not tried.",
    "A name of an MCP tool that Cline shortens ends with a hash; rules have to say it that way.",
  ],
};

const clineClient: AgentClient = {
  program: "cline",
  inherits: ["CLINE_PLUGIN_IMPORT_TIMEOUT_MS"],
  ownDiagnosis: "cline config, and at cline doctor",
  // In its own process: the hub that it starts otherwise would stay behind.
  quiet: { CLINE_TELEMETRY_DISABLED: "1", CLINE_SESSION_BACKEND_MODE: "local" },
  trialCalls: (_folder, word) => [{ tool: "run_commands", input: { commands: [`true ${word}`] } }],
  session({ prompt, modelUrl, env, folder, place }) {
    const model = ["-k", "toolgate-doctor", "-m", "doctor", "-b", `${modelUrl}/v1`];
    const ours = join(".cline", "plugins", "toolgate.js");
    return {
      before: [["auth", "-p", "openai-compatible", ...model]],
      args: ["--json", "-P", "openai-compatible", "-m", "doctor", prompt],
      cwd: join(folder, "project"),
      env: { ...env, HOME: join(folder, "home") },
      files: [
        ...copyForTrial(join(userFolder(place), "plugins", "toolgate.js"), join("home", ours)),
        ...copyForTrial(join(place.projectDir, ours), join("project", ours)),
      ],
    };
  },
};

export const clineSetup: AgentSetup = setUpAgent({
  name: "cline",
  title: "Cline",
  abilities,
  scopes: ["user", "project"],
  signs: { programs: ["cline"], folders: (place) => [userFolder(place)] },
  parts: (place) => [
    pluginFile(
      "cline",
      join(
        place.scope === "project" ? join(place.projectDir, ".cline") : userFolder(place),
        "plugins",
        "toolgate.js",
      ),
    ),
  ],
  hookTrial: jsonTrial(
    (name, input, cwd) => ({
      hookName: "tool_call",
      taskId: "toolgate-doctor",
      workspaceRoots: [cwd],
      tool_call: { id: "1", name, input },
    }),
    ({ cancel, errorMessage }) => (cancel === true ? errorMessage : undefined),
  ),
  findServers: (place) => findClineServers(place, userFolder(place)),
  client: clineClient,
});

function userFolder({ home, env: { CLINE_DIR: folder } }: AgentPlace): string {
  return folder?.startsWith("/") ? folder : join(home, ".cline");
}

/** Sets pi up and examines it. */
import { join } from "node:path";
import type { AgentPlace } from "../agent.ts";
import type { AgentClient } from "../agent-client.ts";
import type { AgentAbilities, AgentSetup } from "../agent-setup.ts";
import { pluginFile } from "../in-process/plugin-file.ts";
import { pluginTrial } from "../in-process/plugin-trial.ts";
import { copyForTrial } from "../in-process/trial-copy.ts";
import { setUpAgent } from "../set-up/set-up-agent.ts";

const abilities: AgentAbilities = {
  measured: "0.87.1",
  deny: "told",
  ask: "queue",
  contextBefore: true,
  contextAfter: true,
  rewrite: true,
  callId: true,
  subAgents: "none",
  onHookFailure: "denies",
  holes: [
    "-ne (--no-extensions) starts it without extensions.",
    "An extension of a project is skipped without a word until the project is trusted; one of the user never is.",
    "Another extension that comes after ours may still change a call that was checked.",
    "Versions from 1.0 on, which have MCP servers and a code mode, were not tried.",
    "A command that the person types with ! is no call of the agent, and is not asked about.",
  ],
};

const piClient: AgentClient = {
  program: "pi",
  inherits: [],
  ownDiagnosis: "the list of extensions that it shows when it starts",
  quiet: { PI_OFFLINE: "1", PI_TELEMETRY: "0" },
  trialCalls: (_folder, word) => [{ tool: "bash", input: { command: `true ${word}` } }],
  session({ prompt, modelUrl, env, folder, place }) {
    const own = userFolder(place);
    const copied = (path: string) => copyForTrial(join(own, path), join("agent", path));
    const model = {
      baseUrl: `${modelUrl}/v1`,
      api: "openai-completions",
      apiKey: "toolgate-doctor",
      models: [{ id: "doctor" }],
    };
    // In the project itself: whether its extensions are trusted is known by its folder.
    return {
      args: ["--provider", "doctor", "--model", "doctor", "--no-session", "-p", prompt],
      env: { ...env, PI_CODING_AGENT_DIR: join(folder, "agent") },
      files: [
        ...["extensions/toolgate.js", "trust.json"].flatMap(copied),
        { path: "agent/models.json", text: JSON.stringify({ providers: { doctor: model } }) },
      ],
    };
  },
};

export const piSetup: AgentSetup = setUpAgent({
  name: "pi",
  title: "pi",
  abilities,
  scopes: ["user", "project"],
  signs: { programs: ["pi"], folders: (place) => [userFolder(place)] },
  parts: (place) => [
    pluginFile(
      "pi",
      join(
        place.scope === "project" ? join(place.projectDir, ".pi") : userFolder(place),
        "extensions",
        "toolgate.js",
      ),
    ),
  ],
  hookTrial: pluginTrial,
  client: piClient,
});

function userFolder({ home, env: { PI_CODING_AGENT_DIR: folder } }: AgentPlace): string {
  return folder?.startsWith("/") ? folder : join(home, ".pi", "agent");
}

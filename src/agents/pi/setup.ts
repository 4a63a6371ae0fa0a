/** Sets pi up and examines it. */
import { join } from "node:path";
import type { AgentPlace } from "../agent.ts";
import type { AgentAbilities, AgentSetup } from "../agent-setup.ts";
import { pluginFile } from "../in-process/plugin-file.ts";
import { pluginTrial } from "../in-process/plugin-trial.ts";
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
    "A command that the person types with ! is no call of the agent, and is not asked about.",
  ],
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
});

function userFolder({ home, env: { PI_CODING_AGENT_DIR: folder } }: AgentPlace): string {
  return folder?.startsWith("/") ? folder : join(home, ".pi", "agent");
}

/** Sets Kilo up and examines it. */
import { join } from "node:path";
import type { AgentPlace } from "../agent.ts";
import type { AgentSetup } from "../agent-setup.ts";
import { pluginFile } from "../in-process/plugin-file.ts";
import { pluginTrial } from "../in-process/plugin-trial.ts";
import { opencodeAbilities } from "../opencode/abilities.ts";
import { setUpAgent } from "../set-up/set-up-agent.ts";

export const kiloSetup: AgentSetup = setUpAgent({
  name: "kilo",
  title: "Kilo",
  abilities: { measured: "7.7.9", ...opencodeAbilities },
  scopes: ["user", "project"],
  signs: { programs: ["kilo"], folders: (place) => [userFolder(place)] },
  parts: (place) => [
    pluginFile(
      "kilo",
      join(
        place.scope === "project" ? join(place.projectDir, ".kilo") : userFolder(place),
        "plugin",
        "toolgate.js",
      ),
      "opencode",
    ),
  ],
  hookTrial: pluginTrial,
});

function userFolder({ home, env: { XDG_CONFIG_HOME: config } }: AgentPlace): string {
  return join(config?.startsWith("/") ? config : join(home, ".config"), "kilo");
}

/** Sets OpenCode up and examines it. */
import { join } from "node:path";
import type { AgentPlace } from "../agent.ts";
import type { AgentSetup } from "../agent-setup.ts";
import { pluginFile } from "../in-process/plugin-file.ts";
import { pluginTrial } from "../in-process/plugin-trial.ts";
import { setUpAgent } from "../set-up/set-up-agent.ts";
import { opencodeAbilities } from "./abilities.ts";

export const opencodeSetup: AgentSetup = setUpAgent({
  name: "opencode",
  title: "OpenCode",
  abilities: { measured: "1.18.33", ...opencodeAbilities },
  scopes: ["user", "project"],
  signs: { programs: ["opencode"], folders: (place) => [userFolder(place)] },
  parts: (place) => [
    pluginFile(
      "opencode",
      join(
        place.scope === "project" ? join(place.projectDir, ".opencode") : userFolder(place),
        "plugins",
        "toolgate.js",
      ),
    ),
  ],
  hookTrial: pluginTrial,
});

function userFolder({ home, env: { XDG_CONFIG_HOME: config } }: AgentPlace): string {
  return join(config?.startsWith("/") ? config : join(home, ".config"), "opencode");
}

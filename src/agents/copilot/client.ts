/** Copilot's own program, as `doctor` tries it: in a folder of its own, with the person's hooks as they are. */
import { join } from "node:path";
import type { AgentClient } from "../agent-client.ts";
import { copyJsonFiles } from "../set-up/trial-files.ts";
import { copilotHome } from "./places.ts";

export const client: AgentClient = {
  program: "copilot",
  inherits: [],
  ownDiagnosis: "the files in ~/.copilot/logs",
  quiet: { COPILOT_OFFLINE: "true", COPILOT_AUTO_UPDATE: "false" },
  trialCalls: (_folder, word) => [
    {
      tool: "bash",
      ruleTool: "Bash",
      input: { command: `true ${word}`, description: "toolgate doctor", mode: "sync", initial_wait: 10 },
    },
  ],
  session: ({ prompt, modelUrl, env, folder, place }) => ({
    args: ["--allow-all-tools", "-p", prompt],
    env: {
      ...env,
      COPILOT_HOME: join(folder, "copilot"),
      COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
      COPILOT_PROVIDER_API_KEY: "toolgate-doctor",
      COPILOT_MODEL: "toolgate-doctor",
      NO_PROXY: "127.0.0.1",
      no_proxy: "127.0.0.1",
    },
    files: copyJsonFiles(join(copilotHome(place), "hooks"), "copilot/hooks"),
  }),
};

/** Grok's own program, as `doctor` tries it: in a folder of its own, with the person's hooks as they are. */
import { join } from "node:path";
import type { AgentClient } from "../agent-client.ts";
import { copyFile, copyJsonFiles } from "../set-up/trial-files.ts";
import { grokHome } from "./places.ts";

const model = "toolgate-doctor";

export const client: AgentClient = {
  program: "grok",
  inherits: [],
  ownDiagnosis: "grok inspect, and at /hooks in a session",
  quiet: { GROK_DISABLE_AUTOUPDATER: "1" },
  trialCalls: (_folder, word) => [
    {
      tool: "run_terminal_command",
      ruleTool: "Bash",
      input: { command: `true ${word}`, description: "toolgate doctor" },
    },
  ],
  session: ({ prompt, modelUrl, env, folder, place }) => ({
    args: ["-p", prompt, "-m", model, "--always-approve"],
    env: {
      ...env,
      GROK_HOME: join(folder, "grok"),
      XAI_API_KEY: "toolgate-doctor",
      NO_PROXY: "127.0.0.1",
      no_proxy: "127.0.0.1",
    },
    files: [
      { path: "grok/config.toml", text: configFor(modelUrl) },
      ...copyJsonFiles(join(grokHome(place), "hooks"), "grok/hooks"),
      ...copyFile(join(grokHome(place), "disabled-hooks"), "grok/disabled-hooks"),
    ],
  }),
};

/** No servers, no account, no model but ours. */
function configFor(modelUrl: string): string {
  return `[cli]
auto_update = false
[features]
telemetry = "off"
[models]
default = "${model}"
[model.${model}]
model = "${model}"
name = "${model}"
base_url = "${modelUrl}/v1"
env_key = "XAI_API_KEY"
api_backend = "chat_completions"
context_window = 100000
`;
}

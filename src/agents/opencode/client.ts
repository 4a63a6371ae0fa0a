/** OpenCode's and Kilo's own program, as doctor tries it: in a home of its own, with our plugin as it lies there. */
import { join } from "node:path";
import type { AgentClient } from "../agent-client.ts";
import { copyForTrial } from "../in-process/trial-copy.ts";
import { configFolder, type OpencodeKind } from "./places.ts";

export function opencodeClient(kind: OpencodeKind): AgentClient {
  const { program, folder: name, plugins, config, options } = kind;
  return {
    program,
    inherits: [],
    ownDiagnosis: `${program} run --print-logs`,
    quiet: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      ...kind.quiet,
    },
    trialCalls: (_folder, word) => [
      { tool: "bash", input: { command: `true ${word}`, description: "Does nothing" } },
    ],
    session({ prompt, modelUrl, env, folder, place }) {
      const ours = join(plugins, "toolgate.js");
      return {
        args: ["run", ...options, prompt],
        cwd: join(folder, "project"),
        // Where it keeps its own things lies below these, too.
        env: { ...env, HOME: join(folder, "home"), XDG_DATA_HOME: join(folder, "data") },
        files: [
          ...copyForTrial(join(configFolder(place, kind), ours), join("config", name, ours)),
          ...copyForTrial(join(place.projectDir, `.${name}`, ours), join("project", `.${name}`, ours)),
          { path: join("project", config), text: JSON.stringify(settingsFor(modelUrl)) },
        ],
      };
    },
  };
}

function settingsFor(modelUrl: string): object {
  return {
    provider: {
      doctor: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: `${modelUrl}/v1`, apiKey: "toolgate-doctor" },
        models: { doctor: { name: "doctor", tool_call: true, limit: { context: 200_000, output: 8_000 } } },
      },
    },
    model: "doctor/doctor",
    small_model: "doctor/doctor",
    permission: { "*": "allow" },
    autoupdate: false,
    share: "disabled",
  };
}

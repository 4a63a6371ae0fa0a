/** Kimi Code itself, tried in a home of its own: it keeps its sessions there. The hooks are the person's. */
import { join } from "node:path";
import { parse, stringify } from "smol-toml";
import type { AgentPlace } from "../agent.ts";
import type { AgentClient } from "../agent-client.ts";
import { memberOf, readTextFile } from "../read-json-file.ts";
import { kimiConfig } from "./places.ts";

export const kimiClient: AgentClient = {
  program: "kimi",
  inherits: [],
  ownDiagnosis: "kimi doctor config",
  quiet: { KIMI_DISABLE_TELEMETRY: "1", KIMI_CODE_NO_AUTO_UPDATE: "1" },
  trialCalls: (folder, word) => [
    { tool: "Bash", input: { command: `touch ${join(folder, word)}` }, field: "command", leaves: word },
  ],
  session: ({ prompt, modelUrl, env, folder, place }) => ({
    args: ["-p", prompt],
    env: { ...env, KIMI_CODE_HOME: join(folder, "kimi") },
    files: [{ path: "kimi/config.toml", text: stringify(trialConfig(place, modelUrl)) }],
  }),
};

function trialConfig(place: AgentPlace, modelUrl: string): Record<string, unknown> {
  const hooks = hooksIn(kimiConfig(place));
  return {
    default_model: "toolgate",
    providers: { toolgate: { type: "openai", base_url: `${modelUrl}/v1`, api_key: "any" } },
    models: { toolgate: { provider: "toolgate", model: "toolgate-doctor", max_context_size: 100_000 } },
    ...(hooks !== undefined && { hooks }),
  };
}

/** As they stand there, also where Kimi Code will not take them. */
function hooksIn(file: string): unknown {
  const read = readTextFile(file);
  try {
    return read.state === "read" ? memberOf(parse(read.text), "hooks") : undefined;
  } catch {
    return undefined;
  }
}

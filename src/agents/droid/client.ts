/**
 * droid itself, tried in a home of its own: it keeps sessions and logs there. The hooks are the person's, and those of
 * the project. It asks its maker for nothing: nobody listens at the addresses that it is given.
 */
import { join } from "node:path";
import { type ParseError, parse } from "jsonc-parser";
import type { AgentClient, TrialFile } from "../agent-client.ts";
import type { ProjectPlace } from "../agent-setup.ts";
import { memberOf, readTextFile } from "../read-json-file.ts";
import { factoryFolders } from "./hook-files.ts";

const nobody = "http://127.0.0.1:9";

export const droidClient: AgentClient = {
  program: "droid",
  inherits: [],
  ownDiagnosis: "droid doctor, and at /hooks in a session",
  quiet: {
    FACTORY_API_KEY: "fk-toolgate-doctor",
    FACTORY_API_BASE_URL: nobody,
    FACTORY_TELEMETRY_INGEST_BASE_URL: nobody,
    FACTORY_DROID_AUTO_UPDATE_ENABLED: "false",
    FACTORY_DISABLE_KEYRING: "1",
  },
  trialCalls: (folder, word) => [
    {
      tool: "Execute",
      input: { summary: "toolgate doctor", command: `touch ${join(folder, word)}` },
      field: "command",
      leaves: word,
    },
  ],
  session: ({ prompt, modelUrl, env, folder, place }) => ({
    args: ["exec", "-m", "custom:toolgate-0", "--skip-permissions-unsafe", prompt],
    env: { ...env, HOME: join(folder, "home") },
    files: trialFiles(place, modelUrl),
  }),
};

function trialFiles(place: ProjectPlace, modelUrl: string): TrialFile[] {
  const { user } = factoryFolders(place);
  const copied = ["hooks.json", "hooks/hooks.json"].flatMap((name): TrialFile[] => {
    const read = readTextFile(join(user, name));
    return read.state === "read" ? [{ path: `home/.factory/${name}`, text: read.text }] : [];
  });
  const model = {
    model: "toolgate-doctor",
    displayName: "toolgate",
    baseUrl: `${modelUrl}/v1`,
    apiKey: "any",
    provider: "generic-chat-completion-api",
    maxOutputTokens: 4_096,
  };
  const hooks = hooksIn(join(user, "settings.json"));
  const settings = { customModels: [model], ...(hooks !== undefined && { hooks }) };
  return [...copied, { path: "home/.factory/settings.json", text: JSON.stringify(settings) }];
}

/** As droid finds them: in a file with a mistake, none. */
function hooksIn(file: string): unknown {
  const read = readTextFile(file);
  const errors: ParseError[] = [];
  const value: unknown = read.state === "read" ? parse(read.text, errors) : undefined;
  return errors.length > 0 ? undefined : memberOf(value, "hooks");
}

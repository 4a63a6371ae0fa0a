/**
 * Codex itself, tried in a folder of its own: it keeps logs and state in its home, and has no switch for another
 * model that leaves the person's servers alone. Hooks, their trust and the switches are the person's.
 */
import { join } from "node:path";
import { parse, stringify } from "smol-toml";
import { isRecord } from "../../core/input/json.ts";
import type { AgentClient, TrialFile } from "../agent-client.ts";
import type { ProjectPlace } from "../agent-setup.ts";
import { membersOf, readTextFile } from "../read-json-file.ts";
import { codexHome, hooksFile, userConfig } from "./places.ts";
import { findIdentities } from "./set-up/hook-trust.ts";

export const codexClient: AgentClient = {
  program: "codex",
  inherits: [],
  ownDiagnosis: "/hooks in a session",
  quiet: {},
  trialCalls: (folder, word) => [
    {
      tool: "exec_command",
      input: { cmd: `touch ${join(folder, word)}` },
      ruleTool: "Bash",
      field: "command",
      leaves: word,
    },
  ],
  session: ({ prompt, modelUrl, env, folder, place }) => ({
    args: ["exec", "--skip-git-repo-check", "--ephemeral", prompt],
    env: { ...env, CODEX_HOME: join(folder, "codex"), DOCTOR_KEY: "any" },
    files: trialFiles(place, join(folder, "codex"), modelUrl),
  }),
};

/** In a folder `codex`, which Codex takes for its home. */
function trialFiles(place: ProjectPlace, home: string, modelUrl: string): TrialFile[] {
  const hooks = readTextFile(hooksFile({ ...place, scope: "user" }));
  const config = readTextFile(userConfig(place));
  const theirs = config.state === "read" ? readToml(config.text) : {};
  return [
    ...(hooks.state === "read" ? [{ path: "codex/hooks.json", text: hooks.text }] : []),
    { path: "codex/config.toml", text: stringify(trialConfig(theirs, { place, home, modelUrl })) },
  ];
}

function trialConfig(
  theirs: unknown,
  {
    place,
    home,
    modelUrl,
  }: { readonly place: ProjectPlace; readonly home: string; readonly modelUrl: string },
): Record<string, unknown> {
  const { hooks, features, projects } = isRecord(theirs) ? theirs : {};
  // A project may name servers to start, too: it is trusted only for the hooks that it has of ours.
  const isProjects = findIdentities({ ...place, scope: "project" }).length > 0;
  const provider = {
    name: "toolgate doctor",
    base_url: `${modelUrl}/v1`,
    wire_api: "responses",
    env_key: "DOCTOR_KEY",
    supports_websockets: false,
    request_max_retries: 0,
    stream_max_retries: 0,
  };
  return {
    model: "toolgate-doctor",
    model_provider: "toolgate",
    model_providers: { toolgate: provider },
    // Only the hook is in the way of the call.
    approval_policy: "never",
    sandbox_mode: "danger-full-access",
    check_for_update_on_startup: false,
    analytics: { enabled: false },
    ...(isRecord(hooks) && { hooks: { ...hooks, state: movedKeys(hooks.state, codexHome(place), home) } }),
    ...(isRecord(features) && { features }),
    ...(isProjects && isRecord(projects) && { projects }),
  };
}

/** A hook is trusted by the name of its file. */
function movedKeys(states: unknown, from: string, to: string): Record<string, unknown> {
  return Object.fromEntries(
    membersOf(states).map(([key, state]) => [
      key.startsWith(`${from}/`) ? `${to}${key.slice(from.length)}` : key,
      state,
    ]),
  );
}

function readToml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return {};
  }
}

/** Sets Claude Code up and examines it. */
import { basename, join } from "node:path";
import type { AgentClient } from "../agent-client.ts";
import type { AgentAbilities, AgentSetup } from "../agent-setup.ts";
import { findServers } from "../mcp-servers/find-servers.ts";
import { memberOf } from "../read-json-file.ts";
import { jsonTrial } from "../set-up/json-trial.ts";
import { askClient } from "./doctor/ask-client.ts";
import { checkSetup } from "./doctor/check-setup.ts";
import { findUntrustedFiles } from "./folder-trust.ts";
import { findClaudePlaces } from "./places.ts";
import { installClaudeCode, uninstallClaudeCode } from "./set-up/install.ts";

const hookTrial = jsonTrial(
  (tool_name, tool_input, cwd) => ({
    hook_event_name: "PreToolUse",
    session_id: "toolgate-doctor",
    tool_use_id: "toolgate-doctor",
    cwd,
    permission_mode: "default",
    tool_name,
    tool_input,
  }),
  ({ hookSpecificOutput: said }) =>
    memberOf(said, "permissionDecision") === "deny" ? memberOf(said, "permissionDecisionReason") : undefined,
);

const client: AgentClient = {
  program: "claude",
  inherits: ["CLAUDE_CONFIG_DIR"],
  ownDiagnosis: "claude doctor, and at /hooks in a session",
  quiet: {
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
  },
  ask: askClient,
  trialCalls: (folder, word) => [
    { tool: "Bash", input: { command: `true ${word}` } },
    { tool: "Read", input: { file_path: join(folder, word) } },
  ],
  session({ prompt, modelUrl, env: given }) {
    const env = { ...elsewhere(modelUrl), ...given };
    // No server of the user's is started, and no settings file can send it to a real model.
    const args = [
      ...["-p", prompt, "--output-format", "json", "--no-session-persistence", "--strict-mcp-config"],
      ...["--settings", JSON.stringify({ env })],
    ];
    return { args, env };
  },
};

function elsewhere(url: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "toolgate-doctor",
    ANTHROPIC_AUTH_TOKEN: "",
    CLAUDE_CODE_USE_BEDROCK: "",
    CLAUDE_CODE_USE_VERTEX: "",
    CLAUDE_CODE_USE_FOUNDRY: "",
    CLAUDE_CODE_MAX_RETRIES: "0",
    NO_PROXY: "127.0.0.1",
    no_proxy: "127.0.0.1",
  };
}

const abilities: AgentAbilities = {
  measured: "2.1.325",
  deny: "told",
  ask: "own prompt",
  contextBefore: true,
  contextAfter: true,
  rewrite: true,
  callId: true,
  subAgents: "hooked",
  onHookFailure: "denies",
  holes: [
    "A repository's own settings can switch all hooks off (disableAllHooks); doctor says so.",
    "--bare, --safe-mode and --setting-sources start it without hooks.",
    "One wrong field in a settings file makes it ignore the whole file; doctor says so.",
  ],
};

export const setup: AgentSetup = {
  abilities,
  scopes: ["user", "project", "local"],
  signs: { programs: ["claude"], folders: (place) => [findClaudePlaces(place).configDir] },
  install: installClaudeCode,
  uninstall: uninstallClaudeCode,
  examine: checkSetup,
  findUntrusted: findUntrustedFiles,
  // The desktop program, which is looked at as well, is another one.
  findServers: (place) =>
    findServers("claude", place).servers.filter(
      ({ file, disabled }) => disabled !== true && basename(file) !== "claude_desktop_config.json",
    ),
  serverCommands: {
    take: (name) => `toolgate upstreams import claude ${name}`.trim(),
    remove: (name) => `claude mcp remove ${name}`,
  },
  hookTrial,
  client,
};

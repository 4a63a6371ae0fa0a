/** Sets Qwen Code up and examines it. Its settings are JSON with comments, its time-outs seconds below 1000. */
import type { AgentAbilities, AgentSetup } from "../agent-setup.ts";
import { harmlessStart } from "../gemini-family/env-files.ts";
import { findUntrusted } from "../gemini-family/folder-trust.ts";
import { findFamilyServers } from "../gemini-family/servers.ts";
import { settingsFile } from "../gemini-family/settings-files.ts";
import { memberOf } from "../read-json-file.ts";
import { hooksInJson } from "../set-up/json-hooks.ts";
import { jsonTrial } from "../set-up/json-trial.ts";
import { setUpAgent } from "../set-up/set-up-agent.ts";
import { checkSettings } from "./check-settings.ts";
import { client } from "./client.ts";
import { family, trustForm } from "./places.ts";

const abilities: AgentAbilities = {
  measured: "0.24.4",
  deny: "told",
  ask: "queue",
  contextBefore: false,
  contextAfter: true,
  rewrite: false,
  callId: true,
  subAgents: "hooked",
  onHookFailure: "denies",
  holes: [
    "A repository's own settings can switch all hooks off (disableAllHooks); doctor says so.",
    "--bare and --safe-mode start it without hooks, and so does a workspace on another machine (ssh).",
    "The .env file of a repository sets variables for hooks that lead to other rules; doctor says so.",
    "What a person types after @ or ! is read or run without a hook.",
  ],
};

export const qwenSetup: AgentSetup = setUpAgent({
  name: "qwen",
  title: "Qwen Code",
  projectVariable: "QWEN_PROJECT_DIR",
  abilities,
  scopes: ["user", "project"],
  signs: { programs: ["qwen"], folders: (place) => [family.configDir(place)] },
  parts: ({ scope, ...place }) => [
    hooksInJson({
      agent: "qwen",
      file: settingsFile(family, place, scope === "project" ? "project" : "user"),
      withComments: true,
      hooks: ({ before, after, task }) => ({
        PreToolUse: [{ matcher: "*", hooks: [entry(before.aloud, before.seconds)] }],
        PostToolUse: [{ matcher: "*", hooks: [entry(after.line, after.seconds)] }],
        PostToolUseFailure: [{ matcher: "*", hooks: [entry(after.line, after.seconds)] }],
        UserPromptSubmit: [{ hooks: [entry(task.line, task.seconds)] }],
      }),
    }),
  ],
  checks: checkSettings,
  findUntrusted: (place) => findUntrusted(trustForm, place),
  findServers: (place) => findFamilyServers(family, place),
  hookTrial: jsonTrial(
    (tool_name, tool_input, cwd) => ({
      session_id: "toolgate-doctor",
      transcript_path: "",
      cwd,
      hook_event_name: "PreToolUse",
      timestamp: new Date(0).toISOString(),
      permission_mode: "default",
      tool_name,
      tool_input,
      tool_use_id: "toolgate-doctor",
    }),
    ({ hookSpecificOutput: said }) =>
      memberOf(said, "permissionDecision") === "deny"
        ? memberOf(said, "permissionDecisionReason")
        : undefined,
  ),
  client,
});

function entry(line: string, seconds: number) {
  return { type: "command", command: line, timeout: seconds, env: harmlessStart };
}

/** Sets Gemini CLI up and examines it. Its settings are JSON with comments, its time-outs milliseconds. */
import type { AgentAbilities, AgentSetup } from "../agent-setup.ts";
import { harmlessStart } from "../gemini-family/env-files.ts";
import { findUntrusted } from "../gemini-family/folder-trust.ts";
import { findFamilyServers } from "../gemini-family/servers.ts";
import { settingsFile } from "../gemini-family/settings-files.ts";
import { hooksInJson } from "../set-up/json-hooks.ts";
import { jsonTrial } from "../set-up/json-trial.ts";
import { setUpAgent } from "../set-up/set-up-agent.ts";
import { checkSettings } from "./check-settings.ts";
import { client } from "./client.ts";
import { family, trustForm } from "./places.ts";

const abilities: AgentAbilities = {
  measured: "0.61.0",
  deny: "told",
  ask: "queue",
  contextBefore: false,
  contextAfter: true,
  rewrite: true,
  callId: false,
  subAgents: "hooked",
  onHookFailure: "denies",
  holes: [
    "In a folder that it was told not to trust it runs no hooks, and asks before each call itself; doctor says so.",
    "Started by an editor (--acp) it asks no hook about the calls of its main agent.",
    "Settings of a repository that it trusts can switch all hooks off (hooksConfig); doctor says so.",
    "A hook of such a repository can change a call after toolgate has looked at it; doctor says so.",
    "The .env file of such a repository sets variables for hooks that lead to other rules; doctor says so.",
    "What a person types after @ or ! is read or run without a hook.",
  ],
};

export const geminiSetup: AgentSetup = setUpAgent({
  name: "gemini",
  title: "Gemini CLI",
  abilities,
  scopes: ["user", "project"],
  signs: { programs: ["gemini"], folders: (place) => [family.configDir(place)] },
  parts: ({ scope, ...place }) => [
    hooksInJson({
      agent: "gemini",
      file: settingsFile(family, place, scope === "project" ? "project" : "user"),
      withComments: true,
      hooks: ({ before, after, task }) => ({
        BeforeTool: [{ matcher: "*", hooks: [entry(before.aloud, before.seconds)] }],
        AfterTool: [{ matcher: "*", hooks: [entry(after.line, after.seconds)] }],
        BeforeAgent: [{ hooks: [entry(task.line, task.seconds)] }],
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
      hook_event_name: "BeforeTool",
      timestamp: new Date(0).toISOString(),
      tool_name,
      tool_input,
    }),
    ({ decision, reason }) => (decision === "deny" ? reason : undefined),
  ),
  client,
});

/**
 * Without a name: a repository could switch it off by that. No variable of the project's in it either: the agent puts
 * the folder's name into the line as text.
 */
function entry(line: string, seconds: number) {
  return { type: "command", command: line, timeout: seconds * 1_000, env: harmlessStart };
}

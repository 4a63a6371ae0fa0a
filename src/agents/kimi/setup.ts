/** Sets Kimi Code up and examines it. Its hooks stand in its own settings alone: a project has none. */
import type { AgentAbilities, AgentSetup } from "../agent-setup.ts";
import { memberOf } from "../read-json-file.ts";
import { jsonTrial } from "../set-up/json-trial.ts";
import { setUpAgent } from "../set-up/set-up-agent.ts";
import { hooksInToml } from "../set-up/toml-hooks.ts";
import { checkKimiHooks } from "./check-hooks.ts";
import { kimiClient } from "./client.ts";
import { kimiConfig, kimiHome } from "./places.ts";

const abilities: AgentAbilities = {
  measured: "2.1.0",
  deny: "told",
  ask: "queue",
  contextBefore: false,
  contextAfter: false,
  rewrite: false,
  callId: true,
  subAgents: "hooked",
  onHookFailure: "runs the call",
  holes: [
    "A hook that hangs longer than its time-out is taken for a yes.",
    "One wrong field in a hook of config.toml makes it ignore all hooks; doctor says so.",
    "It does not say which sub-agent makes a call.",
  ],
};

const hookTrial = jsonTrial(
  (tool_name, tool_input, cwd) => ({
    hook_event_name: "PreToolUse",
    session_id: "toolgate-doctor",
    cwd,
    client_type: "kimi_code_cli",
    tool_name,
    tool_input,
    tool_call_id: "toolgate-doctor",
  }),
  ({ hookSpecificOutput: said }) =>
    memberOf(said, "permissionDecision") === "deny" ? memberOf(said, "permissionDecisionReason") : undefined,
);

export const kimiSetup: AgentSetup = setUpAgent({
  name: "kimi",
  title: "Kimi Code",
  abilities,
  hookTrial,
  scopes: ["user"],
  signs: { programs: ["kimi"], folders: (place) => [kimiHome(place)] },
  parts: (place) => [
    hooksInToml({
      agent: "kimi",
      file: kimiConfig(place),
      // No field more: with one that it does not know, all hooks are ignored.
      hooks: ({ before, after, task }) => [
        { event: "PreToolUse", command: before.line, timeout: before.seconds },
        { event: "PostToolUse", command: after.line, timeout: after.seconds },
        { event: "PostToolUseFailure", command: after.line, timeout: after.seconds },
        { event: "UserPromptSubmit", command: task.line, timeout: task.seconds },
      ],
    }),
  ],
  checks: (place) => checkKimiHooks(kimiConfig(place)),
  client: kimiClient,
});

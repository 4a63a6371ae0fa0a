/** Sets Cursor up and examines it, by its documentation. */
import { join } from "node:path";
import type { AgentAbilities, AgentSetup } from "../agent-setup.ts";
import { findServers } from "../mcp-servers/find-servers.ts";
import { hooksInJson } from "../set-up/json-hooks.ts";
import { jsonTrial } from "../set-up/json-trial.ts";
import { setUpAgent } from "../set-up/set-up-agent.ts";
import { cursorHookFile, mcpEvent, ownTools, toolEvent } from "./hook-file.ts";

const abilities: AgentAbilities = {
  deny: "told",
  ask: "queue",
  contextBefore: false,
  contextAfter: true,
  rewrite: true,
  callId: true,
  subAgents: "not tried",
  onHookFailure: "denies",
  holes: [
    "Agents in the cloud start only a project's hooks, not before tools of MCP servers, nor in turns that only read.",
    "A call that a rule changes is denied for tools of MCP servers, with what to run instead.",
    "Completions at the cursor read files without a call.",
  ],
};

export const cursorSetup: AgentSetup = setUpAgent({
  name: "cursor",
  title: "Cursor",
  projectVariable: "CURSOR_PROJECT_DIR",
  abilities,
  scopes: ["user", "project"],
  signs: { programs: ["cursor", "cursor-agent"], folders: ({ home }) => [join(home, ".cursor")] },
  hookTrial: {
    ...jsonTrial(
      (tool_name, tool_input, cwd) => ({
        hook_event_name: "preToolUse",
        conversation_id: "toolgate-doctor",
        cursor_version: "toolgate-doctor",
        workspace_roots: [cwd],
        tool_name,
        tool_input,
        tool_use_id: "toolgate-doctor",
        cwd,
      }),
      ({ permission, agent_message }) => (permission === "deny" ? agent_message : undefined),
    ),
    noObjection: '{"permission":"allow"}\n',
  },
  parts: ({ scope, home, projectDir }) => [
    hooksInJson({
      agent: "cursor",
      file: cursorHookFile(scope === "project" ? projectDir : home),
      besides: { version: 1 },
      hooks: ({ before, after, task }) => {
        const asking = { command: before.line, timeout: before.seconds, failClosed: true };
        const looking = { command: after.line, timeout: after.seconds };
        return {
          [toolEvent]: [{ ...asking, matcher: ownTools }],
          [mcpEvent]: [asking],
          postToolUse: [looking],
          postToolUseFailure: [looking],
          beforeSubmitPrompt: [{ command: task.line, timeout: task.seconds }],
        };
      },
    }),
  ],
  findServers: (place) => findServers("cursor", place).servers.filter(({ disabled }) => disabled !== true),
});

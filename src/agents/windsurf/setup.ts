/** Sets Windsurf up and examines it, by its documentation. */
import { join } from "node:path";
import type { AgentAbilities, AgentSetup } from "../agent-setup.ts";
import { hooksInJson } from "../set-up/json-hooks.ts";
import { setUpAgent } from "../set-up/set-up-agent.ts";

const abilities: AgentAbilities = {
  deny: "told",
  ask: "queue",
  contextBefore: false,
  contextAfter: false,
  rewrite: false,
  callId: false,
  subAgents: "not tried",
  onHookFailure: "runs the call",
  holes: [
    "It has no event for pages, searches and sub-agents: no rule sees these.",
    "A hook that crashes, hangs or is killed is taken for a yes; how long it waits is not documented.",
    "It takes up new hooks only after a restart.",
  ],
};

const triedServer = "toolgate";

export const windsurfSetup: AgentSetup = setUpAgent({
  name: "windsurf",
  title: "Windsurf",
  abilities,
  scopes: ["user", "project"],
  signs: { programs: ["windsurf"], folders: ({ home }) => [join(home, ".codeium", "windsurf")] },
  hookTrial: {
    call: (mcp_tool_name, mcp_tool_arguments) =>
      JSON.stringify({
        agent_action_name: "pre_mcp_tool_use",
        trajectory_id: "toolgate-doctor",
        tool_info: { mcp_server_name: triedServer, mcp_tool_name, mcp_tool_arguments },
      }),
    ruleTool: (tool) => `mcp__${triedServer}__${tool}`,
    refusalIn: (stdout) => (stdout === "" ? undefined : stdout),
  },
  parts: ({ scope, home, projectDir }) => [
    hooksInJson({
      agent: "windsurf",
      file:
        scope === "project"
          ? join(projectDir, ".windsurf", "hooks.json")
          : join(home, ".codeium", "windsurf", "hooks.json"),
      hooks({ before, task }) {
        const asking = { command: before.line, show_output: true };
        return {
          pre_run_command: [asking],
          pre_write_code: [asking],
          pre_read_code: [asking],
          pre_mcp_tool_use: [asking],
          pre_user_prompt: [{ command: task.line, show_output: false }],
        };
      },
    }),
  ],
});

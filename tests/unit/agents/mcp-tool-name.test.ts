/** One rule for a tool of an MCP server holds for every agent, however the agent tells its name. */
import { expect, it } from "vitest";
import type { AgentAdapter } from "../../../src/agents/agent.ts";
import { cline } from "../../../src/agents/cline/agent.ts";
import { cursor } from "../../../src/agents/cursor/agent.ts";
import { droid } from "../../../src/agents/droid/agent.ts";
import { gemini } from "../../../src/agents/gemini/agent.ts";
import { grok } from "../../../src/agents/grok/agent.ts";
import { windsurf } from "../../../src/agents/windsurf/agent.ts";
import { place } from "./place.ts";

const server = "my srv";
const tool = "files.delete";
const passed = { server_name: server, tool_name: tool, arguments: "{}" };
const info = { mcp_server_name: server, mcp_tool_name: tool, mcp_tool_arguments: {} };

const calls: readonly (readonly [AgentAdapter, object])[] = [
  [
    cursor,
    { hook_event_name: "beforeMCPExecution", tool_name: tool, tool_input: "{}", mcp_server_name: server },
  ],
  [windsurf, { agent_action_name: "pre_mcp_tool_use", tool_info: info }],
  [gemini, { tool_name: "mcp_x", tool_input: {}, mcp_context: { server_name: server, tool_name: tool } }],
  [cline, { hookName: "PreToolUse", preToolUse: { toolName: "use_mcp_tool", parameters: passed } }],
  [droid, { tool_name: `${server}___${tool}`, tool_input: {} }],
  [grok, { hookEventName: "pre_tool_use", toolName: `${server}__${tool}`, toolInput: {} }],
];

it.each(calls.map(([agent, call]) => [agent.title, agent, call] as const))(
  "has the name that agents give it for a model, also in %s",
  async (_, agent, call) => {
    const { read } = await agent.loadHook();
    expect(read(JSON.stringify(call), place)).toMatchObject({
      ok: true,
      input: { tool: "mcp__my_srv__files_delete" },
    });
  },
);

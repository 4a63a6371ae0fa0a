/** One rule for a tool of an MCP server holds for every agent, however the agent tells its name. */
import { expect, it } from "vitest";
import { findAgent, openAgent } from "../../../src/agents/all-agents.ts";
import { talkingTo } from "./talking.ts";

const server = "my srv";
const tool = "files.delete";
const passed = { server_name: server, tool_name: tool, arguments: "{}" };
const info = { mcp_server_name: server, mcp_tool_name: tool, mcp_tool_arguments: {} };
const asked = { tool_name: tool, tool_input: "{}", mcp_server_name: server };

it.for<readonly [agent: string, call: object]>([
  ["cursor", { hook_event_name: "beforeMCPExecution", ...asked }],
  ["windsurf", { agent_action_name: "pre_mcp_tool_use", tool_info: info }],
  ["gemini", { tool_name: "mcp_x", tool_input: {}, mcp_context: { server_name: server, tool_name: tool } }],
  ["cline", { hookName: "PreToolUse", preToolUse: { toolName: "use_mcp_tool", parameters: passed } }],
  ["droid", { tool_name: `${server}___${tool}`, tool_input: {} }],
  ["grok", { hookEventName: "pre_tool_use", toolName: `${server}__${tool}`, toolInput: {} }],
])("has the name that agents give it for a model, also in %s", async ([name, call]) => {
  const { taken } = talkingTo(await openAgent(findAgent(name)));
  expect(taken(call).tool).toBe("mcp__my_srv__files_delete");
});

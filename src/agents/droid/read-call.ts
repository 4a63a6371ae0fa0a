/** Reads what droid sends: the form of Claude Code, with other names for tools of MCP servers and for planning. */
import type { ReadHookInput } from "../agent-hook.ts";
import { readHookInput } from "../read-hook-input.ts";
import { shorten } from "../read-json-call.ts";

export function readDroidCall(text: string): ReadHookInput {
  const read = readHookInput(text);
  if (!read.ok) return read;
  const { input } = read;
  const named = nameTool(input.tool);
  if (typeof named === "string") return { ok: false, message: named };
  return {
    ok: true,
    input: { ...input, ...named, mode: input.permissionMode === "spec" ? "plan" : input.mode },
  };
}

/**
 * Three underscores join server and tool, and names may hold underscores themselves. Where the name could be cut
 * in two ways, a rule for one server would miss what the other one does: such a call is refused.
 */
function nameTool(agentTool: string): { tool: string; agentTool?: string } | string {
  const first = agentTool.indexOf("___");
  if (first < 1) return { tool: agentTool };
  if (agentTool.lastIndexOf("___") !== first)
    return `The name ${shorten(agentTool)} can be cut into server and tool in more than one way, so nobody knows whose tool it is. Give the MCP server a name without underscores at its end.`;
  const server = agentTool.slice(0, first).replaceAll(/[^A-Za-z0-9_-]/g, "_");
  return { tool: `mcp__${server}__${agentTool.slice(first + 3)}`, agentTool };
}

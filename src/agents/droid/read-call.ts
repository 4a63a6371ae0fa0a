/** Reads what droid sends: the form of Claude Code, with other names for tools of MCP servers and for planning. */
import type { ReadHookInput } from "../agent-hook.ts";
import { type NamedTool, nameTool, refuseTool } from "../mcp-tool-name.ts";
import { readHookInput } from "../read-hook-input.ts";

export function readDroidCall(text: string): ReadHookInput {
  const read = readHookInput(text);
  if (!read.ok) return read;
  const { input } = read;
  const named = nameCall(input.tool);
  if (!named.ok) return named;
  const mode = input.permissionMode === "spec" ? "plan" : input.mode;
  return { ok: true, input: { ...input, ...named.named, mode } };
}

/**
 * Three underscores join server and tool, and names may hold underscores themselves. Where the name could be cut
 * in two ways, a rule for one server would miss what the other one does: such a call is refused.
 */
function nameCall(tool: string): NamedTool {
  const at = tool.indexOf("___");
  if (at < 1) return { ok: true, named: { tool } };
  if (tool.lastIndexOf("___") === at) return nameTool(tool, tool.slice(0, at), tool.slice(at + 3));
  return refuseTool(
    tool,
    "can be cut into server and tool in more than one way, so nobody knows whose tool it is. Give the MCP server a name without underscores at its end",
  );
}

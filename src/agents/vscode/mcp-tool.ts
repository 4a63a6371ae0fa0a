/**
 * VS Code calls a tool of an MCP server `mcp_server_tool`, in small letters and with at most 13 of the server's
 * name, or of the title that the server gives itself. Where no file names such a server, the first part of
 * the name is taken for the server: rules that name a server are safe only behind toolgate's own gateway.
 */
import { join } from "node:path";
import { type CallPlace, serversIn } from "../copilot/mcp-tool.ts";
import { type NamedTool, nameTool, refuseTool } from "../mcp-tool-name.ts";

const prefix = "mcp_";
const maxServerLetters = 13;

export function nameVscodeTool(toolName: string, { projectDir, cwd }: CallPlace): NamedTool {
  if (!toolName.startsWith(prefix)) return { ok: true, named: { tool: toolName } };
  const rest = toolName.slice(prefix.length);
  const folder = projectDir ?? cwd;
  const servers = folder === undefined ? [] : serversIn(join(folder, ".vscode", "mcp.json"), "servers");
  const [known, ...more] = servers.filter((server) => rest.startsWith(`${asVscodeSays(server)}_`));
  if (more.length > 0)
    return refuseTool(toolName, "could be a tool of two MCP servers. Give one of them another name");
  if (known !== undefined) return nameTool(toolName, known, rest.slice(asVscodeSays(known).length + 1));
  const at = rest.indexOf("_");
  if (at < 1) return { ok: true, named: { tool: toolName } };
  return nameTool(toolName, rest.slice(0, at), rest.slice(at + 1));
}

function asVscodeSays(server: string): string {
  return server
    .toLowerCase()
    .replaceAll(/[^a-z0-9_.-]+/g, "_")
    .slice(0, maxServerLetters);
}

/**
 * Cline calls the tool `shout` of the MCP server `echo` `echo__shout`; its extensions for editors call
 * `use_mcp_tool` and say both names beside it.
 */
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import { mcpName } from "../mcp-tool-name.ts";

export type NamedTool = { readonly tool: string; readonly input: JsonObject } | { readonly problem: string };

export function nameClineTool(called: {
  readonly tool: string;
  readonly input: JsonObject;
  /** Those that Cline has, as far as it is known. */
  readonly servers: readonly string[];
}): NamedTool {
  const { tool, input, servers } = called;
  if (tool === "use_mcp_tool") return readPassedOn(input);
  const at = tool.indexOf("__");
  if (at < 1 || at + 2 >= tool.length) return { tool, input };
  if (!tool.includes("__", at + 1)) return { tool: `mcp__${tool}`, input };
  const fitting = servers.filter((server) => tool.startsWith(`${plain(server)}__`));
  const [server] = fitting;
  // Rules would look at another server's tool.
  if (server === undefined || fitting.length > 1)
    return { problem: `${tool} could be a tool of several MCP servers. Give the server a name without __.` };
  return { tool: mcpName(server, tool.slice(plain(server).length + 2)), input };
}

function plain(server: string): string {
  return server.replace(/[^a-zA-Z0-9_-]+/g, "_");
}

/** Every parameter is text there, so the arguments are JSON in it. */
function readPassedOn({
  server_name: server,
  tool_name: tool,
  arguments: given = "{}",
}: JsonObject): NamedTool {
  const input = typeof given === "string" ? parse(given) : given;
  if (typeof server !== "string" || typeof tool !== "string" || input === undefined || !isJsonObject(input))
    return { problem: "use_mcp_tool names no server and tool, or its arguments are no JSON object." };
  return { tool: mcpName(server, tool), input };
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

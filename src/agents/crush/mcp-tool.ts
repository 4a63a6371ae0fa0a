/**
 * Crush calls a tool of an MCP server `mcp_server_tool`, and both may hold underscores. Its own files say which
 * servers there are. A name that they leave open is refused: a rule for the server could miss it.
 */
import type { AgentPlace } from "../agent.ts";
import { type NamedTool, nameTool, refuseTool } from "../mcp-tool-name.ts";
import { memberOf, membersOf, readTextFile } from "../read-json-file.ts";
import { crushFiles } from "./places.ts";

const prefix = "mcp_";

export function nameCrushTool(tool: string, place: AgentPlace, cwd: string | undefined): NamedTool {
  if (!tool.startsWith(prefix)) return { ok: true, named: { tool } };
  const rest = tool.slice(prefix.length);
  const servers = new Set(crushFiles(place, cwd).flatMap(serversIn));
  const [server, ...more] = [...servers].filter((name) => rest.startsWith(`${name}_`));
  if (more.length > 0)
    return refuseTool(tool, "could be a tool of two MCP servers. Give one of them another name");
  if (server !== undefined) return nameTool(tool, server, rest.slice(server.length + 1));
  const [first = "", second = "", ...others] = rest.split("_");
  if (others.length === 0 && first !== "" && second !== "") return nameTool(tool, first, second);
  return refuseTool(
    tool,
    "belongs to an MCP server that is not in Crush's files, so nobody knows which rules hold. Add the server to crush.json",
  );
}

function serversIn(file: string): string[] {
  const read = readTextFile(file);
  const value = read.state === "read" ? parseLoose(read.text) : undefined;
  return membersOf(memberOf(value, "mcp")).map(([name]) => name);
}

const outsideOfStrings = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=\s*[}\]])/g;

/** JSON with comments and commas at ends. By hand: every call of every agent loads this file. */
function parseLoose(text: string): unknown {
  try {
    return JSON.parse(text.replace(outsideOfStrings, "$1"));
  } catch {
    return undefined;
  }
}

/**
 * Copilot calls a tool of an MCP server `server-tool`, and both may hold a dash themselves. Its own files say
 * which servers there are. A name that they leave open is refused: a rule for the server could miss it.
 */
import { dirname, join } from "node:path";
import type { AgentPlace } from "../agent.ts";
import { type NamedTool, nameTool, refuseTool } from "../mcp-tool-name.ts";
import { memberOf, membersOf, readJsonFile } from "../read-json-file.ts";
import { copilotHome } from "./places.ts";

export interface CallPlace extends AgentPlace {
  readonly cwd: string | undefined;
}

/** The server that Copilot brings along. */
const builtIn = "github-mcp-server";

export function nameMcpTool(toolName: string, place: CallPlace): NamedTool {
  // No tool of Copilot's own has a dash in its name.
  if (!toolName.includes("-")) return { ok: true, named: { tool: toolName } };
  const [first, ...more] = [...new Set([builtIn, ...configuredServers(place)])].filter((name) =>
    toolName.startsWith(`${asCopilotSays(name)}-`),
  );
  // Also where two names become the same: by a file of its own, a repository would choose whose rules hold.
  if (more.length > 0)
    return refuseTool(toolName, "could be a tool of two MCP servers. Give one of them another name");
  if (first !== undefined) return nameTool(toolName, first, toolName.slice(first.length + 1));
  const [server = "", tool = "", ...rest] = toolName.split("-");
  if (rest.length === 0 && server !== "" && tool !== "") return nameTool(toolName, server, tool);
  return refuseTool(
    toolName,
    "belongs to an MCP server that is not in Copilot's files, so nobody knows which rules hold. Add the server to ~/.copilot/mcp-config.json",
  );
}

function configuredServers(place: CallPlace): string[] {
  const files = [
    join(copilotHome(place), "mcp-config.json"),
    ...foldersFrom(place.projectDir ?? place.cwd).flatMap((folder) => [
      join(folder, ".mcp.json"),
      join(folder, ".github", "mcp.json"),
    ]),
  ];
  return files.flatMap((file) => serversIn(file, "mcpServers"));
}

export function serversIn(file: string, member: string): string[] {
  const read = readJsonFile(file);
  return read.state === "read" ? membersOf(memberOf(read.value, member)).map(([name]) => name) : [];
}

const maxFolders = 40;

/** The folder and all above it. */
function foldersFrom(start: string | undefined): string[] {
  const folders: string[] = [];
  let folder = start;
  while (folder !== undefined && folders.length < maxFolders) {
    folders.push(folder);
    const above = dirname(folder);
    folder = above === folder ? undefined : above;
  }
  return folders;
}

/** Seen: `my.odd name` becomes `my-odd-name`. */
function asCopilotSays(server: string): string {
  return server.replaceAll(/[^A-Za-z0-9_-]/g, "-");
}

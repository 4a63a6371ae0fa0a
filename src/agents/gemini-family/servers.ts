/** The MCP servers that the agent starts or reaches by itself; of two with one name the more important file counts. */
import { isRecord } from "../../core/input/json.ts";
import type { ProjectPlace } from "../agent-setup.ts";
import type { ForeignServer } from "../mcp-servers/foreign-server.ts";
import { readServerMap } from "../mcp-servers/json-servers.ts";
import { memberOf, membersOf } from "../read-json-file.ts";
import { type Family, readSettings } from "./settings-files.ts";

export function findFamilyServers(family: Family, place: ProjectPlace): ForeignServer[] {
  const files = readSettings(family, place);
  const found = new Map<string, ForeignServer>();
  for (const { file, value } of files) {
    const servers = membersOf(memberOf(value, "mcpServers")).map(([name, one]) => [name, inUsualForm(one)]);
    for (const server of readServerMap(Object.fromEntries(servers), file, withBraces))
      found.set(server.name, server);
  }
  // The lists of all files count together.
  const lists = files.map(({ value }) => memberOf(memberOf(value, "mcp"), "excluded"));
  const excluded = lists.flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  return [...found.values()].filter(({ name }) => !excluded.includes(name));
}

/** `httpUrl` is what others call `url`; a `url` without a type is the old transport. */
function inUsualForm(server: unknown): unknown {
  if (!isRecord(server)) return server;
  const { httpUrl, url, type } = server;
  if (httpUrl !== undefined) return { ...server, url: httpUrl };
  return url !== undefined && type === undefined ? { ...server, type: "sse" } : server;
}

/** They also take variables without braces. */
function withBraces(text: string): string {
  return text.replaceAll(/\$(\w+)/g, "$${$1}");
}

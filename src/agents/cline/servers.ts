/** The MCP servers that Cline starts or reaches by itself. */
import { join } from "node:path";
import { isRecord } from "../../core/input/json.ts";
import type { AgentPlace } from "../agent.ts";
import type { ForeignServer } from "../mcp-servers/foreign-server.ts";
import { readServerMap } from "../mcp-servers/json-servers.ts";
import { readJsonFile } from "../read-json-file.ts";

/** `folder`: Cline's own. */
export function findClineServers({ env }: AgentPlace, folder: string): ForeignServer[] {
  const { CLINE_DATA_DIR: data } = env;
  const settings = join(data?.startsWith("/") ? data : join(folder, "data"), "settings");
  const file = join(settings, "cline_mcp_settings.json");
  const read = readJsonFile(file);
  const value: unknown = read.state === "read" ? read.value : undefined;
  const servers = isRecord(value) && isRecord(value.mcpServers) ? value.mcpServers : {};
  return readServerMap(servers, file, (text) => text).filter(({ disabled }) => disabled !== true);
}

/** Which upstream server is meant, or why none can be. */
import { shownName } from "../../../core/visible.ts";
import type { Failure } from "../failed.ts";
import type { McpResources } from "./ports.ts";

export const notConnected: Failure = {
  code: "no_server",
  message: "No MCP server with resources is connected here. Its tools, if any, are found by tools.search.",
};

export function chooseServer(resources: McpResources, wanted: string | undefined): string | Failure {
  const servers = resources.servers();
  const [only] = servers;
  if (only === undefined) return notConnected;
  if (wanted === undefined && servers.length === 1) return only;
  if (wanted !== undefined && servers.includes(wanted)) return wanted;
  const what = wanted === undefined ? "Name the server." : `There is no server ${shownName(wanted)}.`;
  return { code: "no_server", message: `${what} Servers: ${servers.join(", ")}.` };
}

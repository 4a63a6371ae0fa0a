/** Which upstream server is meant, or why none can be. */

import type { Failure } from "../../../core/call/tool-answer.ts";
import { shownName } from "../../../core/text/visible.ts";
import type { McpPrompts, McpResources } from "./ports.ts";

export const notConnected: Failure = {
  code: "no_server",
  message: "No MCP server with resources is connected here. Its tools, if any, are found by tools.search.",
};

export function chooseServer(resources: McpResources, wanted: string | undefined): string | Failure {
  return chooseFrom(resources.servers(), wanted, notConnected);
}

export function choosePromptServer(
  prompts: McpPrompts | undefined,
  wanted: string | undefined,
): string | Failure {
  return chooseFrom(prompts?.servers() ?? [], wanted, noPrompts);
}

const noPrompts: Failure = {
  code: "no_server",
  message: "No MCP server with prompts is connected here.",
};

function chooseFrom(servers: readonly string[], wanted: string | undefined, none: Failure): string | Failure {
  const [only] = servers;
  if (only === undefined) return none;
  if (wanted === undefined && servers.length === 1) return only;
  if (wanted !== undefined && servers.includes(wanted)) return wanted;
  const what = wanted === undefined ? "Name the server." : `There is no server ${shownName(wanted)}.`;
  return { code: "no_server", message: `${what} Servers: ${servers.join(", ")}.` };
}

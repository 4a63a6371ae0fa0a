/** The name under which rules know a tool of an MCP server, for agents that join server and tool in their own way. */
import type { HookInput } from "./agent-hook.ts";
import { shorten } from "./read-json-call.ts";

export type NamedTool =
  | { readonly ok: true; readonly named: Pick<HookInput, "tool" | "agentTool"> }
  | { readonly ok: false; readonly message: string };

/** The server's name as every other agent spells it in the name of a tool. */
export function nameTool(agentTool: string, server: string, tool: string): NamedTool {
  const name = `mcp__${server.replaceAll(/[^A-Za-z0-9_-]/g, "_")}__${tool}`;
  return { ok: true, named: { tool: name, agentTool } };
}

/** `why`: the rest of the sentence, without its dot. */
export function refuseTool(agentTool: string, why: string): NamedTool {
  return { ok: false, message: `${shorten(agentTool)} ${why}.` };
}

/** The name under which rules know a tool of an MCP server, for agents that join server and tool in their own way. */
import type { HookInput } from "./agent-hook.ts";
import { shorten } from "./read-json-call.ts";

export type NamedTool =
  | { readonly ok: true; readonly named: Pick<HookInput, "tool" | "agentTool"> }
  | { readonly ok: false; readonly message: string };

export function nameTool(agentTool: string, server: string, tool: string): NamedTool {
  return { ok: true, named: { tool: mcpName(server, tool), agentTool } };
}

/** Agents that tell both names as they are would otherwise pass by a rule that holds for all the others. */
export function mcpName(server: string, tool: string): string {
  return `mcp__${plainName(server)}__${plainName(tool)}`;
}

/** As agents spell it for a model, which takes no other characters in the name of a tool. */
export function plainName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, "_");
}

/** `why`: the rest of the sentence, without its dot. */
export function refuseTool(agentTool: string, why: string): NamedTool {
  return { ok: false, message: `${shorten(agentTool)} ${why}.` };
}

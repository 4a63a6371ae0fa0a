/** What the configuration says about the MCP server, with what a command says instead. */
import type { McpSettings } from "../../config/mcp-settings.ts";
import type { McpServerParts, ToolsMode } from "./server-parts.ts";

export function mcpSettings(
  { tools = "auto", tokenBudget, approveByElicitation }: McpSettings = {},
  asked?: ToolsMode,
): Pick<McpServerParts, "tools" | "tokenBudget" | "approveByElicitation"> {
  return { tools: asked ?? tools, tokenBudget, approveByElicitation };
}

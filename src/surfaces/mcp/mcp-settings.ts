/** What the configuration says about the MCP server, with what a command says instead. */
import type { McpSettings } from "../../config/settings/mcp-settings.ts";
import type { McpServerParts, ToolsMode } from "./server-parts.ts";

/** `inForce`: those of the configuration as it is now; it may change while the server serves. */
export function mcpSettings(
  inForce: () => McpSettings | undefined,
  asked?: ToolsMode,
): Pick<McpServerParts, "settingsNow"> {
  return {
    settingsNow: () => {
      const { tools = "auto", tokenBudget, approveByElicitation } = inForce() ?? {};
      return { tools: asked ?? tools, tokenBudget, approveByElicitation };
    },
  };
}

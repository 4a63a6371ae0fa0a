/** What the configuration says about the MCP server, with what a command says instead. */
import type { McpSettings } from "../../config/mcp-settings.ts";
import { defaultTokenBudget } from "./listed-tools.ts";
import type { McpServerParts, ToolsMode } from "./server-parts.ts";

export function mcpSettings(given: McpSettings = {}, asked?: ToolsMode): Pick<McpServerParts, "settingsNow"> {
  return {
    settingsNow: () => {
      const { tools = "auto", tokenBudget, approveByElicitation } = given;
      return { tools: asked ?? tools, tokenBudget, approveByElicitation };
    },
  };
}

/** Reads like the settings of one configuration, and always says what the one in force says: for parts that are given settings only once. */
export function followMcpSettings(inForce: () => McpSettings | undefined): McpSettings {
  return {
    get tools() {
      return inForce()?.tools ?? "auto";
    },
    get tokenBudget() {
      return inForce()?.tokenBudget ?? defaultTokenBudget;
    },
    get approveByElicitation() {
      return inForce()?.approveByElicitation ?? true;
    },
    get permissionPrompt() {
      return inForce()?.permissionPrompt ?? false;
    },
  };
}

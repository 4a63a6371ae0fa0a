/** The section `mcp` of a configuration file: how the gate shows itself to MCP clients. */
import type { JsonObject } from "../../core/input/json.ts";
import type { SchemaPart } from "../../safe/files/documents/schema-part.ts";

export interface McpSettings {
  readonly tools?: "all" | "search" | "auto";
  readonly tokenBudget?: number;
  readonly approveByElicitation?: boolean;
  readonly permissionPrompt?: boolean;
}

export const mcpSchema: SchemaPart = {
  type: ["object", "null"],
  description: "How the gate shows itself to MCP clients (toolgate mcp, and /mcp of toolgate serve).",
  properties: {
    tools: {
      enum: ["all", "search", "auto"],
      description:
        "Which tools are listed: all, only those that search for and call the others, or auto: all, unless they cost more than token_budget.",
      default: "auto",
    },
    token_budget: {
      type: "integer",
      minimum: 0,
      description: "For auto: about how many tokens the definitions of all tools may cost a model.",
      default: 10_000,
    },
    approve_by_elicitation: {
      type: "boolean",
      description:
        "When a rule asks, the MCP client that made the call may answer: it is trusted to show the question to its person.",
      default: false,
    },
    permission_prompt: {
      type: "boolean",
      description:
        "Offer the tool permission_prompt, for claude --permission-prompt-tool: where neither the agent's rules nor toolgate's decide, a person does.",
      default: false,
    },
  },
  additionalProperties: false,
};

/** The shape was checked against the schema. */
export function toMcpSettings(section: JsonObject): McpSettings {
  const { tools, token_budget: tokenBudget } = section;
  const { approve_by_elicitation: approveByElicitation, permission_prompt: permissionPrompt } = section;
  const said = Object.entries({ tools, tokenBudget, approveByElicitation, permissionPrompt });
  return Object.fromEntries(said.filter(([, value]) => value !== undefined)) as McpSettings;
}

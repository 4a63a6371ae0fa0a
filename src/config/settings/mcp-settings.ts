/** The section `mcp` of a configuration file: how the gate shows itself to MCP clients. */
import { choice, count, flag, section } from "../../core/input/shape.ts";
import type { SettingsOf } from "./read-section.ts";

export const mcpShape = section(
  {
    tools: choice(
      ["all", "search", "auto"],
      "Which tools are listed: all, only those that search for and call the others, or auto: all, unless they cost more than token_budget.",
      { default: "auto" },
    ),
    token_budget: count(0, "For auto: about how many tokens the definitions of all tools may cost a model.", {
      default: 10_000,
    }),
    approve_by_elicitation: flag(
      "When a rule asks, the MCP client that made the call may answer: it is trusted to show the question to its person.",
      { default: false },
    ),
    permission_prompt: flag(
      "Offer the tool permission_prompt, for claude --permission-prompt-tool: where neither the agent's rules nor toolgate's decide, a person does.",
      { default: false },
    ),
  },
  "How the gate shows itself to MCP clients (toolgate mcp, and /mcp of toolgate serve).",
);

export type McpSettings = SettingsOf<typeof mcpShape>;

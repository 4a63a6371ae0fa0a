/** A person who approves nearly everything, and denies one command. */
import type { Policy } from "../../src/index.ts";

type CommandOperator = "startsWith" | "contains" | "equals" | "matches" | "usage";

export function denyingOneCommand(value: string, operator: CommandOperator = "startsWith"): Policy[] {
  return [
    {
      name: "yes",
      tools: "Bash",
      action: "approve",
      conditions: [{ type: "risk", operator: "lessThan", value: "opaque" }],
    },
    {
      name: "no",
      tools: "Bash",
      action: "deny",
      priority: 1,
      conditions: [{ type: "command", operator, value }],
    },
  ];
}

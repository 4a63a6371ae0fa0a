/** Policies that deny one command. */
import type { Policy } from "../../src/index.ts";

export const noPush: Policy = {
  name: "no-push",
  tools: "Bash",
  action: "deny",
  conditions: [{ type: "command", operator: "startsWith", value: "git push" }],
};

type CommandOperator = "startsWith" | "contains" | "equals" | "matches" | "usage";

/** Of a person who approves nearly everything beside it. */
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

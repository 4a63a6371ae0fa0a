/** A policy in one line, named by what it says. */
import type { Policy } from "../../../src/index.ts";

type Condition = readonly [type: string, operator: string, value: string | readonly string[]];

export function rule(
  action: Policy["action"],
  tools: Policy["tools"],
  conditions: readonly Condition[] = [],
  more: Partial<Policy> = {},
): Policy {
  const all = conditions.map(([type, operator, value]) => ({ type, operator, value }));
  const name = [action, tools, ...conditions.flat()].join(" ");
  return { name, tools, action, ...(all.length > 0 && { conditions: all }), ...more } as Policy;
}

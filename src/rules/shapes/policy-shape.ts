/** How a policy and its conditions are written. */
import { modes } from "../../core/call/call.ts";
import { choice, closed, text } from "../../core/input/shape.ts";
import { toolPatternShape } from "../../core/tool/tool-pattern.ts";
import { callerShape } from "./caller-shape.ts";
import { conditionTypes, operators } from "./operators.ts";
import { tests } from "./test-shape.ts";

const scalar = { type: ["string", "number", "boolean"] } as const;

export const conditionShape = closed(
  {
    type: choice(conditionTypes, "What it looks at."),
    operator: choice(operators, "How it compares."),
    value: {
      description: "What it compares with. A list holds when any of its values does.",
      oneOf: [scalar, { type: "array", items: scalar, minItems: 1 }],
    },
    field: text("For argument: the name of the argument; dots descend.", { minLength: 1 }),
  },
  ["type", "operator", "value"],
  "One question about one part of a call.",
);

export const policyShape = closed(
  {
    tools: toolPatternShape,
    caller: callerShape,
    action: choice(["approve", "ask", "deny"], "What happens when all conditions hold."),
    conditions: {
      type: ["array", "null"],
      description: "All must hold. Without any, the policy always does.",
      items: conditionShape,
    },
    priority: {
      type: "number",
      description: "A higher one sets lower ones of the same or a less trusted tier aside.",
      default: 0,
    },
    reason: text("Shown to the person who is asked and to the model that is refused."),
    until: text(
      "For approve: the last day on which it approves, such as 2027-02-15, by UTC. Then a person is asked again.",
      { pattern: "^\\d{4}-\\d{2}-\\d{2}$" },
    ),
    modes: {
      type: "array",
      description: "Only in these modes.",
      items: choice(modes, "plan allows reading only."),
      minItems: 1,
    },
    mode: choice(
      ["enforce", "shadow"],
      "shadow: it is judged and recorded beside the real verdict, and changes nothing.",
      { default: "enforce" },
    ),
    tests,
  },
  ["tools", "action"],
  "Approves, asks or denies.",
);

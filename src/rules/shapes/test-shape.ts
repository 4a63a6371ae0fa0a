/** How a test is written that a rule carries with it. */
import { choice, closed, type Shaped, text } from "../../core/input/shape.ts";

export const testShape = closed(
  {
    desc: text("What it shows."),
    input: closed(
      {
        tool_name: text("The tool as the agent calls it.", { minLength: 1 }),
        tool_input: { type: "object", description: "The call's input.", additionalProperties: true },
      },
      ["tool_name", "tool_input"],
      "The call.",
    ),
    caller: text("Who calls, for rules that say for whom they hold. By default local.", { minLength: 1 }),
    workspace: text(
      "The root of the workspace that the call is made in. By default the folder of the test run.",
      {
        minLength: 1,
      },
    ),
    expect: choice(
      ["block", "allow", "ask", "approved", "not-approved"],
      "allow also means that no rule speaks. approved: a rule says yes. not-approved: none does.",
    ),
    contains: text("The message must hold this text."),
  },
  ["input", "expect"],
  "A call, and what the rules of this file must make of it.",
);

export type RuleTest = Shaped<typeof testShape>;

export const tests = {
  type: ["array", "null"],
  description: "Examples that `toolgate test` runs: calls, and what the rules make of them.",
  items: testShape,
} as const;

/** How a route is written. */
import { choice, closed, text } from "../../core/input/shape.ts";
import { toolPatternShape } from "../../core/tool/tool-pattern.ts";
import { callerShape } from "./caller-shape.ts";
import { tests } from "./test-shape.ts";

export const routeShape = closed(
  {
    description: text("What it is for, in a few words, for people."),
    tool: toolPatternShape,
    caller: callerShape,
    pattern: text(
      "A JavaScript regular expression that is looked for in the field. Best in single quotes: 'git\\s+push'.",
      { minLength: 1, examples: ["^https://github\\.com/[^/]+/[^/]+/pull/\\d+"] },
    ),
    flags: text("Flags of the regular expression: i, m, s, u or v.", { examples: ["i"] }),
    field: text(
      "The input field to look at. By default the call's command, URL and path; without any of them its query, prompt, pattern, skill and description.",
      { minLength: 1 },
    ),
    action: choice(
      ["block", "allow", "rewrite"],
      "block: refuse, with the message. allow: later routes of the same source group no longer count, and no shipped ones. rewrite: change fields, then route again.",
      { default: "block" },
    ),
    message: text(
      "For block: what to do instead. The model reads it as it is written; $1 to $9 stand for groups that the pattern has.",
    ),
    rewrite: {
      type: "object",
      description:
        "For rewrite: new values for fields. $1 is the first group, $& the whole match, $$ a dollar sign.",
      additionalProperties: { type: "string" },
      examples: [{ command: "git --no-pager log -n 20" }],
    },
    tests,
  },
  ["tool", "pattern"],
  "Sends a call to the better tool: blocks it with advice, lets it pass, or rewrites it.",
);

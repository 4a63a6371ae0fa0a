/** How a limit is written. */
import { choice, closed, count, duration, text } from "../../core/input/shape.ts";
import { toolPatternShape } from "../../core/tool/tool-pattern.ts";
import { callerShape } from "./caller-shape.ts";

export const limitShape = closed(
  {
    tools: toolPatternShape,
    caller: callerShape,
    category: text("Only tools of this category.", { minLength: 1 }),
    per: choice(["tool", "category", "session", "caller", "gate"], "What shares one count.", {
      default: "tool",
    }),
    max: count(0, "At most so many calls in any windowMs."),
    windowMs: duration(1, "The length of the window.", { examples: ["1m"] }),
    concurrent: count(0, "At most so many calls at the same time."),
  },
  [],
  "How many calls in a window, how many at once.",
);

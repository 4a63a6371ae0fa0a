/** How it is written which tools some callers do not see. */
import { closed, type Shaped } from "../../core/input/shape.ts";
import { toolPatternShape } from "../../core/tool/tool-pattern.ts";
import { callerShape } from "./caller-shape.ts";

export const hiddenShape = closed(
  {
    caller: callerShape,
    categories: {
      type: "array",
      description: "Tools of these categories.",
      items: { type: "string", minLength: 1 },
      minItems: 1,
    },
    tools: toolPatternShape,
  },
  [],
  "Tools that these callers do not see and cannot call: those of the categories, and those that are named.",
);

export interface HiddenTools extends Shaped<typeof hiddenShape> {}

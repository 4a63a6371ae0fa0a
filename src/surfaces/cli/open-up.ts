/** What a person can type to get a tool that is not callable. */
import type { Stop } from "../../core/errors.ts";

/** Undefined: no option of ours would help. */
export function howToOpen(why: Pick<Stop, "code">, category: string): string | undefined {
  if (why.code === "category_disabled") return `--enable-tool-categories ${category}`;
  if (why.code !== "above_ceiling") return undefined;
  // Only `development` raises what git may do; other ceilings rise with everything.
  return category === "git" ? "--enable-tool-categories development" : "--enable-tools";
}

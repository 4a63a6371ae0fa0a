/** What a person can type to get a tool that is not callable. */
import type { Stop } from "../../../core/call/errors.ts";

/** Undefined: no option of ours would help. */
export function enableHint(why: Pick<Stop, "code">, category: string): string | undefined {
  if (why.code === "category_disabled") return `--enable-tool-categories ${category}`;
  if (why.code !== "above_ceiling") return undefined;
  // Only `development` raises what git may do; other ceilings rise by name in the configuration.
  if (category === "git") return "--enable-tool-categories development";
  return `--enable-tools, or for good with tools: { ceilings: { ${category}: execute } } in your config.yaml`;
}

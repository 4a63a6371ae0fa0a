/** Cursor's `hooks.json`: a list for each event. The file names each entry's line, so ours is known by it. */
import { join } from "node:path";
import { memberOf } from "../read-json-file.ts";

export function cursorHookFile(folder: string): string {
  return join(folder, ".cursor", "hooks.json");
}

/** All tools but those of MCP servers: of these only the other event says whose they are. */
export const toolEvent = "preToolUse";
export const mcpEvent = "beforeMCPExecution";
/** Names that do not begin with `MCP:`, said without a look ahead, which not every engine knows. */
export const ownTools = "^([^M]|M[^C]|MC[^P]|MCP[^:]|.{0,3}$)";

/** Entries of ours for both. On doubt false. */
export function asksForAll(text: string): boolean {
  try {
    const hooks = memberOf(JSON.parse(text), "hooks");
    return [toolEvent, mcpEvent].every((event) => {
      const entries = memberOf(hooks, event);
      return Array.isArray(entries) && entries.some((entry) => isOurs(entry, event));
    });
  } catch {
    return false;
  }
}

/** One with another matcher is asked about some calls only. */
function isOurs(entry: unknown, event: string): boolean {
  const line = memberOf(entry, "command");
  if (memberOf(entry, "matcher") !== (event === toolEvent ? ownTools : undefined)) return false;
  return typeof line === "string" && /\/hook\.(?:sh|cjs) cursor\b.* \|\| exit 2$/.test(line);
}

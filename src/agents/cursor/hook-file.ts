/** Cursor's `hooks.json`: a list for each event. The file names each entry's line, so ours is known by it. */
import { join } from "node:path";
import { memberOf } from "../read-json-file.ts";

export function cursorHookFile(folder: string): string {
  return join(folder, ".cursor", "hooks.json");
}

/** All tools but those of MCP servers: of these only the other event says whose they are. */
export const toolEvent = "preToolUse";
export const mcpEvent = "beforeMCPExecution";

/** Entries of ours for both. On doubt false. */
export function asksForAll(text: string): boolean {
  try {
    const hooks = memberOf(JSON.parse(text), "hooks");
    return [toolEvent, mcpEvent].every((event) => {
      const entries = memberOf(hooks, event);
      return Array.isArray(entries) && entries.some((entry) => isOurs(memberOf(entry, "command")));
    });
  } catch {
    return false;
  }
}

function isOurs(line: unknown): boolean {
  return typeof line === "string" && /\/hook\.(?:sh|cjs) cursor\b.* \|\| exit 2$/.test(line);
}

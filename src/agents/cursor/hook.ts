/**
 * What a call of Cursor needs, by its documentation (cursor.com/docs/hooks and docs/reference/third-party-hooks, as of
 * September 2026). No `ownPrompt`: an `ask` is taken and not enforced before a tool.
 */
import type { AgentHook } from "../agent-hook.ts";
import { readTextFile } from "../read-json-file.ts";
import { asksForAll, cursorHookFile } from "./hook-file.ts";
import { readCursorCall } from "./read-call.ts";
import { writeToTool } from "./write-answer.ts";

export const cursorHook: AgentHook = {
  read: (text, place) => readCursorCall(text, () => isInstalled(place)),
  write: writeToTool,
  isInstalled,
};

/** Cursor also starts what stands in Claude Code's settings; one of the two is enough. */
function isInstalled({ home }: { readonly home: string }): boolean {
  const read = readTextFile(cursorHookFile(home));
  return read.state === "read" && asksForAll(read.text);
}

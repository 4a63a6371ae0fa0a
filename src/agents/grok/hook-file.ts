/** The file of ours among Grok's hooks. */
import { join } from "node:path";
import type { FilePart } from "../set-up/file-part.ts";
import type { HookLine } from "../set-up/hook-lines.ts";
import { hooksInJson } from "../set-up/json-hooks.ts";

/** `folder`: Grok's own, or a project's `.grok`. No matcher: it would be a pattern that has to match. */
export function hookFile(folder: string): FilePart {
  return hooksInJson({
    agent: "grok",
    file: join(folder, "hooks", "toolgate.json"),
    isOwn: true,
    hooks: ({ before, after, task }) => ({
      PreToolUse: [group(before)],
      PostToolUse: [group(after)],
      PostToolUseFailure: [group(after)],
      UserPromptSubmit: [group(task)],
    }),
  });
}

function group({ line, seconds }: HookLine) {
  return { hooks: [{ type: "command", command: line, timeout: seconds }] };
}

/**
 * The file of ours in a folder of hooks that Copilot CLI and VS Code read. Both start the same entry: it names
 * Copilot, and the form of the call says which of them asks.
 */
import { join } from "node:path";
import type { FilePart } from "../set-up/file-part.ts";
import type { HookLine } from "../set-up/hook-lines.ts";
import { hooksInJson } from "../set-up/json-hooks.ts";

export function hookFile(folder: string): FilePart {
  return hooksInJson({
    agent: "copilot",
    file: join(folder, "toolgate.json"),
    isOwn: true,
    besides: { version: 1 },
    hooks: ({ before, after, task }) => ({
      preToolUse: [entry(before)],
      postToolUse: [entry(after)],
      postToolUseFailure: [entry(after)],
      userPromptSubmitted: [entry(task)],
    }),
  });
}

function entry({ line, seconds }: HookLine) {
  return { type: "command", bash: line, timeoutSec: seconds };
}

/** Our hooks among others in a hooks.json of Codex. */
import type { Json, JsonObject } from "../../../core/input/json.ts";
import type { FilePart } from "../../set-up/file-part.ts";
import type { HookLine } from "../../set-up/hook-lines.ts";
import { hooksInJson } from "../../set-up/json-hooks.ts";
import type { ScopedPlace } from "../../set-up/set-up-agent.ts";
import { hooksFile } from "../places.ts";

export function hooksPart(place: ScopedPlace): FilePart {
  return hooksInJson({
    agent: "codex",
    file: hooksFile(place),
    hooks: ({ before, after, task }) => ({
      PreToolUse: [{ matcher: "*", ...entry(before, before.aloud) }],
      PostToolUse: [{ matcher: "*", ...entry(after) }],
      // An event without a matcher.
      UserPromptSubmit: [entry(task)],
    }),
  });
}

/** The message is shown while the hook runs. */
function entry({ line, seconds }: HookLine, command: Json = line): JsonObject {
  return { hooks: [{ type: "command", command, timeout: seconds, statusMessage: "toolgate" }] };
}

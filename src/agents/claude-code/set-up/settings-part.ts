/** What of a settings file of Claude Code is ours. */
import type { FilePart } from "../../set-up/file-part.ts";
import { hooksInJson, type JsonHooks } from "../../set-up/json-hooks.ts";
import { agentArgument, groupsOf, isOurs } from "../doctor/hook-entries.ts";

export function settingsPart(file: string): FilePart {
  return hooksInJson(settingsForm(file));
}

export function settingsForm(file: string): JsonHooks {
  return {
    agent: agentArgument,
    file,
    isOurs,
    hooks: (lines) =>
      Object.fromEntries(Object.entries(groupsOf(lines)).map(([event, group]) => [event, [group]])),
  };
}

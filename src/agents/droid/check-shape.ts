/** The first thing in droid's hooks for which it drops all hooks of the file. Each was seen to do so. */
import { isRecord } from "../../core/input/json.ts";
import { membersOf } from "../read-json-file.ts";

const events = [
  ...["PreToolUse", "PostToolUse", "Notification", "UserPromptSubmit", "Stop", "SubagentStop"],
  ...["PreCompact", "SessionStart", "SessionEnd"],
];

/** A part of a sentence. Undefined: nothing is wrong, or there are no hooks. */
export function findWrongDroidHooks(hooks: unknown): string | undefined {
  for (const [event, groups] of membersOf(hooks).filter(([name]) => events.includes(name))) {
    if (!Array.isArray(groups)) return `"${event}" must be a list`;
    for (const group of groups as unknown[]) {
      const why = wrongGroup(group);
      if (why !== undefined) return `an entry of "${event}" ${why}`;
    }
  }
  return undefined;
}

function wrongGroup(group: unknown): string | undefined {
  if (!isRecord(group) || !Array.isArray(group.hooks)) return "has no list of hooks";
  const { matcher, hooks } = group;
  if (matcher !== undefined && typeof matcher !== "string") return "has a matcher that is no text";
  return (hooks as unknown[]).map(wrongHook).find((why) => why !== undefined);
}

function wrongHook(hook: unknown): string | undefined {
  if (!isRecord(hook) || hook.type !== "command") return 'has a hook whose type is not "command"';
  if (typeof hook.command !== "string") return "has a hook without a command";
  return hook.timeout === undefined || typeof hook.timeout === "number"
    ? undefined
    : "has a hook whose time-out is no number";
}

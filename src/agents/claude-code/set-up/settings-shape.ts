/**
 * Fields for which the client drops a whole settings file, hooks included, without a word: each was seen to
 * do so. Only the client knows all of them; this is for where it cannot be asked.
 */
import { isRecord } from "../../../core/input/json.ts";
import { memberOf, membersOf } from "../../read-json-file.ts";

type Kind = "text" | "number" | "boolean" | "list" | "object";

const fields: readonly (readonly [path: readonly string[], kind: Kind])[] = [
  [["model"], "text"],
  [["apiKeyHelper"], "text"],
  [["cleanupPeriodDays"], "number"],
  [["disableAllHooks"], "boolean"],
  [["includeCoAuthoredBy"], "boolean"],
  [["env"], "object"],
  [["enabledPlugins"], "object"],
  [["statusLine"], "object"],
  [["hooks"], "object"],
  [["permissions"], "object"],
  [["permissions", "allow"], "list"],
  [["permissions", "deny"], "list"],
  [["permissions", "ask"], "list"],
  [["permissions", "additionalDirectories"], "list"],
];

const modes = ["acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan"];
/** One wrong entry of these and the whole file is dropped. */
const decidingEvents = ["PreToolUse", "PermissionRequest"];
const hookTypes = ["command", "http", "mcp_tool", "prompt", "agent"];

/** What is wrong, one sentence part each. */
export function findWrongFields(settings: unknown): string[] {
  if (!isRecord(settings)) return ["it must hold an object"];
  const wrong = fields.flatMap(([path, kind]) => {
    const value = path.reduce(memberOf, settings as unknown);
    return value === undefined || kindOf(value) === kind
      ? []
      : [`"${path.join(".")}" must be ${described[kind]}`];
  });
  const mode = memberOf(memberOf(settings, "permissions"), "defaultMode");
  if (mode !== undefined && !modes.includes(String(mode)))
    wrong.push(`"permissions.defaultMode" must be one of ${modes.join(", ")}`);
  const hooks = findWrongHooks(settings.hooks, decidingEvents);
  return hooks === undefined ? wrong : [...wrong, hooks];
}

/** The client's own events; of another name it is not known what it makes. */
const knownEvents = [
  ...["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied"],
  ...["Notification", "UserPromptSubmit", "SessionStart", "SessionEnd", "Setup", "Stop", "StopFailure"],
  ...["SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "TeammateIdle", "TaskCreated"],
  ...["TaskCompleted", "Elicitation", "ElicitationResult", "ConfigChange", "InstructionsLoaded"],
  ...["WorktreeCreate", "WorktreeRemove", "CwdChanged", "FileChanged"],
];

/** What no client was seen to drop a file for, and what it does not understand either. */
export function findDoubtfulFields(settings: unknown): string[] {
  const env = membersOf(memberOf(settings, "env"))
    .filter(([, value]) => !["string", "number", "boolean"].includes(typeof value))
    .map(([name]) => `the value of ${JSON.stringify(name)} in "env" is no text`);
  const hooks = membersOf(memberOf(settings, "hooks")).filter(([event]) => !decidingEvents.includes(event));
  const events = hooks
    .filter(([event]) => !knownEvents.includes(event))
    .map(([event]) => `${JSON.stringify(event)} in "hooks" is no event that is known`);
  const wrong = findWrongHooks(Object.fromEntries(hooks));
  return [...env, ...events, ...(wrong === undefined ? [] : [wrong])];
}

/** The first thing wrong in a `hooks` object. `events`: only there; elsewhere one entry is left out. */
export function findWrongHooks(hooks: unknown, events?: readonly string[]): string | undefined {
  for (const [event, groups] of membersOf(hooks)) {
    if (events?.includes(event) === false) continue;
    if (!Array.isArray(groups)) return `"${event}" must be a list`;
    for (const group of groups as unknown[]) {
      if (!isRecord(group) || !Array.isArray(group.hooks))
        return `an entry of "${event}" has no list of hooks`;
      if (group.matcher !== undefined && typeof group.matcher !== "string")
        return `the matcher of "${event}" must be text`;
      for (const hook of group.hooks as unknown[]) {
        const why = findWrongHook(hook);
        if (why !== undefined) return `a hook of "${event}" ${why}`;
      }
    }
  }
  return undefined;
}

function findWrongHook(hook: unknown): string | undefined {
  if (!isRecord(hook) || !hookTypes.includes(String(hook.type))) return "has an unknown type";
  if (hook.type === "command" && typeof hook.command !== "string") return "has no command";
  return hook.timeout === undefined || typeof hook.timeout === "number"
    ? undefined
    : "has a time-out that is no number";
}

function kindOf(value: unknown): Kind | undefined {
  if (Array.isArray(value)) return "list";
  if (isRecord(value)) return "object";
  if (typeof value === "string") return "text";
  return typeof value === "number" || typeof value === "boolean" ? (typeof value as Kind) : undefined;
}

const described: Readonly<Record<Kind, string>> = {
  text: "text",
  number: "a number",
  boolean: "true or false",
  list: "a list",
  object: "an object",
};

/** Kimi Code ignores every hook of its settings, with one line among its warnings, if any of them is not as it wants it. */
import { parse } from "smol-toml";
import { isRecord } from "../../core/input/json.ts";
import { memberOf, readTextFile } from "../read-json-file.ts";
import { problem, type SetupFinding } from "../setup-finding.ts";

export function checkKimiHooks(file: string): SetupFinding[] {
  const read = readTextFile(file);
  const wrong = read.state === "read" ? findWrong(read.text) : undefined;
  if (wrong === undefined) return [];
  return [
    problem("hooks-shape", `Kimi Code ignores every hook in ${file}: ${wrong}.`, `Correct it in ${file}.`),
  ];
}

const fields = ["event", "matcher", "command", "timeout"];
const events = [
  ...["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionResult"],
  ...["UserPromptSubmit", "UserPromptQueued", "TurnStarted", "Stop", "StopFailure", "Interrupt"],
  ...["SessionStart", "SessionEnd", "SessionHeartbeat", "SubagentStart", "SubagentStop", "TaskStarted"],
  ...["PreCompact", "PostCompact", "Notification"],
];
const maxSeconds = 600;

/** A part of a sentence. What is no TOML at all is said by whoever looks for our entries. */
function findWrong(text: string): string | undefined {
  let hooks: unknown;
  try {
    hooks = memberOf(parse(text), "hooks");
  } catch {
    return undefined;
  }
  if (hooks === undefined) return undefined;
  if (!Array.isArray(hooks)) return '"hooks" must be a list of tables, [[hooks]]';
  return (hooks as unknown[]).map(wrongHook).find((why) => why !== undefined);
}

function wrongHook(hook: unknown): string | undefined {
  if (!isRecord(hook)) return "a hook must be a table";
  const unknown = Object.keys(hook).find((name) => !fields.includes(name));
  if (unknown !== undefined)
    return `version 2.1.0 does not know the field ${JSON.stringify(unknown)} of a hook`;
  const { event, matcher, command, timeout } = hook;
  if (!events.includes(String(event))) return `${JSON.stringify(event ?? "")} is no event that it knows`;
  if (typeof command !== "string" || command === "") return "a hook has no command";
  if (matcher !== undefined && typeof matcher !== "string") return "a matcher is no text";
  const isFine = Number.isInteger(timeout) && Number(timeout) >= 1 && Number(timeout) <= maxSeconds;
  return timeout === undefined || isFine
    ? undefined
    : `a time-out is not between 1 and ${maxSeconds} seconds`;
}

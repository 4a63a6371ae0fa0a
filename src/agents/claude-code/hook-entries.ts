/** Our entries in the client's settings: how they look, and how they are told from everybody else's. */
import { basename } from "node:path";
import type { Json, JsonObject } from "../../core/json.ts";
import { type HookEvent, hookEvents } from "./read-hook-input.ts";
import { isRecord, memberOf, membersOf } from "./read-json-file.ts";

/** What the client starts: a program with the hook file as its first argument, no shell between. */
export interface HookCommand {
  readonly command: string;
  readonly bundle: string;
}

/** One hook of a settings file or of a plugin's hooks.json. */
export interface HookEntry {
  readonly event: string;
  /** Undefined: all tools. */
  readonly matcher: string | undefined;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** The client shows it while the hook runs. An extra field of our own could one day be an error, which drops the whole file. */
const mark = "toolgate";
const agentArgument = "claude-code";

/** Above our own deadline, below the patience of people. */
const timeoutSeconds = 30;

/** The group of each event, as it stands in a settings file. */
export function ourGroups({ command, bundle }: HookCommand): Record<HookEvent, JsonObject> {
  const run = { type: "command", command, args: [bundle, agentArgument], timeout: timeoutSeconds };
  const group = (manner: { readonly [key: string]: Json }): JsonObject => ({
    matcher: "*",
    hooks: [{ ...run, ...manner, statusMessage: mark }],
  });
  return {
    PreToolUse: group({ onFailure: "block" }),
    // In the background: the record is closed without the session waiting for it.
    PostToolUse: group({ async: true }),
    PostToolUseFailure: group({ async: true }),
  };
}

/** Exactly what `ourGroups` wrote, whatever version and place of toolgate it was. */
export function isOurs(entry: unknown): boolean {
  const args = memberOf(entry, "args");
  return (
    memberOf(entry, "statusMessage") === mark &&
    memberOf(entry, "type") === "command" &&
    Array.isArray(args) &&
    isBundle(args[0]) &&
    args[1] === agentArgument
  );
}

/** Also what people wrote by hand to the same end. */
export function runsToolgate(entry: unknown): boolean {
  const command = memberOf(entry, "command");
  const args = memberOf(entry, "args");
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === "string");
  const line = words.join(" ");
  return (
    (line.includes("hook.cjs") && line.includes(agentArgument)) || /\btoolgate\b(.* )?\bcheck\b/.test(line)
  );
}

/** Every hook in a `hooks` object, in order; what has another shape is left out. */
export function listHookEntries(hooks: unknown): HookEntry[] {
  return membersOf(hooks).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group: unknown) => {
      const entries = memberOf(group, "hooks");
      const matcher = memberOf(group, "matcher");
      return (Array.isArray(entries) ? entries : []).filter(isRecord).map((entry) => ({
        event,
        matcher: typeof matcher === "string" && matcher !== "" && matcher !== "*" ? matcher : undefined,
        entry,
      }));
    }),
  );
}

export const ourEvents: readonly string[] = hookEvents;

function isBundle(path: unknown): boolean {
  return typeof path === "string" && basename(path.replaceAll("\\", "/")) === "hook.cjs";
}

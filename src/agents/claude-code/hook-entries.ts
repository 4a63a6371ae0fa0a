/** Our entries in the client's settings: how they look, and how they are told from everybody else's. */
import { basename } from "node:path";
import type { Json, JsonObject } from "../../core/json.ts";
import { type HookEvent, hookEvents } from "./read-hook-input.ts";
import { isRecord, memberOf, membersOf } from "./read-json-file.ts";

/** What the client starts: a program with the hook file as its argument, no shell that reads a line between. */
export interface HookCommand {
  /** The node that runs the bundle. */
  readonly command: string;
  readonly bundle: string;
  /** The bash that runs the script beside the bundle, which asks a running server and starts node only if there is none. */
  readonly bash?: string | undefined;
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
/** A server that is asked may ask a person. */
const timeoutWithPeopleSeconds = 300;

/** Program and arguments, as the client starts them. */
export function startOfHook(
  hook: HookCommand,
  waitSeconds = timeoutWithPeopleSeconds,
): [string, ...string[]] {
  const { command, bundle, bash } = hook;
  if (bash === undefined) return [command, bundle, agentArgument];
  // -p: nothing that a repository puts into the environment becomes a part of the script.
  return [bash, "-p", scriptBeside(bundle), agentArgument, command, String(waitSeconds)];
}

export function scriptBeside(bundle: string): string {
  return bundle.replace(/hook\.cjs$/, "hook.sh");
}

/** The group of each event, as it stands in a settings file. */
export function ourGroups(hook: HookCommand): Record<HookEvent, JsonObject> {
  const group = (timeout: number, manner: { readonly [key: string]: Json }): JsonObject => {
    const [command, ...args] = startOfHook(hook, timeout);
    return {
      matcher: "*",
      hooks: [{ type: "command", command, args, timeout, ...manner, statusMessage: mark }],
    };
  };
  return {
    PreToolUse: group(hook.bash === undefined ? timeoutSeconds : timeoutWithPeopleSeconds, {
      onFailure: "block",
    }),
    // In the background: the record is closed without the session waiting for it.
    PostToolUse: group(timeoutSeconds, { async: true }),
    PostToolUseFailure: group(timeoutSeconds, { async: true }),
  };
}

/** Exactly what `ourGroups` wrote, whatever version and place of toolgate it was. */
export function isOurs(entry: unknown): boolean {
  const args = memberOf(entry, "args");
  if (memberOf(entry, "statusMessage") !== mark || memberOf(entry, "type") !== "command") return false;
  if (!Array.isArray(args)) return false;
  const [first, second, third] = args as unknown[];
  return (
    (isNamed(first, "hook.cjs") && second === agentArgument) ||
    (first === "-p" && isNamed(second, "hook.sh") && third === agentArgument)
  );
}

/** Also what people wrote by hand to the same end. */
export function runsToolgate(entry: unknown): boolean {
  const command = memberOf(entry, "command");
  const args = memberOf(entry, "args");
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === "string");
  const line = words.join(" ");
  return (
    (/hook\.(cjs|sh)/.test(line) && line.includes(agentArgument)) || /\btoolgate\b(.* )?\bcheck\b/.test(line)
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

function isNamed(path: unknown, name: string): boolean {
  return typeof path === "string" && basename(path.replaceAll("\\", "/")) === name;
}

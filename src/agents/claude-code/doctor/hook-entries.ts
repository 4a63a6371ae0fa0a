/** Our entries in the client's settings: how they look, and how they are told from everybody else's. */
import { isRecord, type Json, type JsonObject } from "../../../core/input/json.ts";
import { type HookEvent, hookEvents } from "../../agent-hook.ts";
import { memberOf, membersOf } from "../../read-json-file.ts";
import { type ProgramPath, writeHookLine } from "../../set-up/hook-line.ts";
import {
  type HookCommand,
  type HookLines,
  isNamed,
  keyIn,
  linesOf,
  ourWords as wordsOfLine,
} from "../../set-up/hook-lines.ts";

/** One hook of a settings file or of a plugin's hooks.json. */
export interface HookEntry {
  readonly event: string;
  /** Undefined: all tools. */
  readonly matcher: string | undefined;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** The client shows it while the hook runs. A field of our own could one day be an error. */
const mark = "toolgate";
export const agentArgument = "claude-code";

/** The group of each event, as it stands in a settings file. */
export function ourGroups(hook: HookCommand): Record<HookEvent, JsonObject> {
  return groupsOf(linesOf(agentArgument, hook));
}

export function groupsOf({ before, after, task }: HookLines): Record<HookEvent, JsonObject> {
  const entry = (command: string, manner: { readonly [key: string]: Json }): JsonObject => ({
    hooks: [{ type: "command", command, ...manner, statusMessage: mark }],
  });
  const group = (command: string, manner: { readonly [key: string]: Json }): JsonObject => ({
    matcher: "*",
    ...entry(command, manner),
  });
  // Nothing is denied any more. The client waits, because a hook may have something to say about the call; where
  // no rule has such a hook, the script says nothing at once and writes the record in the background.
  const later = group(after.line, { timeout: after.seconds });
  return {
    PreToolUse: group(before.line, { timeout: before.seconds, onFailure: "block" }),
    PostToolUse: later,
    PostToolUseFailure: later,
    // An event without a matcher.
    UserPromptSubmit: entry(task.line, { timeout: task.seconds }),
  };
}

/** Exactly what `ourGroups` wrote, whatever version and place of toolgate it was. */
export function isOurs(entry: unknown): boolean {
  if (memberOf(entry, "statusMessage") !== mark || memberOf(entry, "type") !== "command") return false;
  return isOldForm(entry) || ourWords(entry) !== undefined;
}

/**
 * The whole line, letter by letter, as `linesOf` writes it for this event. What somebody put around the line
 * or took from it (`; exit 0`, `|| true`, no `|| exit 2`) can turn a denial into a pass.
 */
export function isWrittenLine({ event, entry }: HookEntry): boolean {
  const command = memberOf(entry, "command");
  const words = ourWords(entry);
  if (typeof command !== "string" || words === undefined) return false;
  const [program = "", ...args] = words;
  const [, below, rest = program] = /^\$(CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT)\/(.*)$/s.exec(program) ?? [];
  if (below === undefined && !/^(?:\/|[A-Za-z]:\/)/.test(rest)) return false;
  // Before a call such a line would say nothing, and deny nothing.
  if (event === "PreToolUse" && args.some((arg) => /^(?:after|task):/.test(arg))) return false;
  const path: ProgramPath = { path: rest, ...(below !== undefined && { below }) };
  return command === writeHookLine(path, args, event === "PreToolUse" ? "deny" : "as-it-ends");
}

/** The unguessable word in an entry of ours. */
export function keyOf(entry: unknown): string | undefined {
  return isOurs(entry) ? keyIn(ourWords(entry)) : undefined;
}

/** The executable that an entry of ours starts. */
export function programOf(entry: unknown): string | undefined {
  return ourWords(entry)?.[0];
}

/**
 * What toolgate wrote before: an interpreter, and the hook in `args`. Programs that know no `args` start the
 * interpreter alone, with the payload as its script.
 */
export function isOldForm(entry: unknown): boolean {
  const args = memberOf(entry, "args");
  if (!Array.isArray(args)) return false;
  const [first, second, third] = args as unknown[];
  return (
    (isNamed(first, "hook.cjs") && second === agentArgument) ||
    (first === "-p" && isNamed(second, "hook.sh") && third === agentArgument)
  );
}

function ourWords(entry: unknown): readonly string[] | undefined {
  if (memberOf(entry, "args") !== undefined) return undefined;
  return wordsOfLine(memberOf(entry, "command"), agentArgument);
}

/** Also what people wrote by hand to the same end, and what is marked as ours and was changed. */
export function runsToolgate(entry: unknown): boolean {
  const command = memberOf(entry, "command");
  const args = memberOf(entry, "args");
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === "string");
  const line = words.join(" ");
  return (
    memberOf(entry, "statusMessage") === mark ||
    (/hook\.(cjs|sh)/.test(line) && line.includes(agentArgument)) ||
    /\btoolgate\b(.* )?\bcheck\b/.test(line)
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

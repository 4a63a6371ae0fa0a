/** Our entries in the client's settings: how they look, and how they are told from everybody else's. */
import { basename } from "node:path";
import { isRecord, type Json, type JsonObject } from "../../../core/input/json.ts";
import { type HookEvent, hookEvents } from "../../agent-hook.ts";
import { memberOf, membersOf } from "../read-json-file.ts";
import { type ClientVariable, type ProgramPath, readHookLine, writeHookLine } from "../set-up/hook-line.ts";

/** What the client starts: one shell line whose first word is an executable of ours. */
export interface HookCommand {
  /** `hook.sh`, which asks a running server, or `hook.cjs`, which finds its node on the PATH. */
  readonly program: ProgramPath;
  /** For `hook.sh`: the node that it starts where no server answers. */
  readonly node?: string | undefined;
  /** For `hook.sh`: never ask a server. */
  readonly isAlone?: boolean | undefined;
  /**
   * A word that nobody can guess. The client runs equal lines once, in the manner of the last file: a
   * repository that knows our line could make it one whose answer is not waited for.
   */
  readonly key?: string | undefined;
}

/** One hook of a settings file or of a plugin's hooks.json. */
export interface HookEntry {
  readonly event: string;
  /** Undefined: all tools. */
  readonly matcher: string | undefined;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** The client shows it while the hook runs. A field of our own could one day be an error. */
const mark = "toolgate";
const agentArgument = "claude-code";

/** Above our own deadline, below the patience of people. */
export const timeoutSeconds = 30;
/** A server that is asked may ask a person. */
const timeoutWithPeopleSeconds = 300;

/** The line for the event before a call. */
export function lineOfHook(hook: HookCommand): string {
  return lineFor(hook, String(waitOf(hook)), "deny");
}

/** The group of each event, as it stands in a settings file. */
export function ourGroups(hook: HookCommand): Record<HookEvent, JsonObject> {
  const entry = (command: string, manner: { readonly [key: string]: Json }): JsonObject => ({
    hooks: [{ type: "command", command, ...manner, statusMessage: mark }],
  });
  const group = (command: string, manner: { readonly [key: string]: Json }): JsonObject => ({
    matcher: "*",
    ...entry(command, manner),
  });
  // Nothing is denied any more. The client waits, because a hook may have something to say about the call; where
  // no rule has such a hook, the script says nothing at once and writes the record in the background.
  const later = (when: "after" | "task") => lineFor(hook, `${when}:${timeoutSeconds}`, "as-it-ends");
  const after = group(later("after"), { timeout: timeoutSeconds });
  return {
    PreToolUse: group(lineOfHook(hook), { timeout: waitOf(hook), onFailure: "block" }),
    PostToolUse: after,
    PostToolUseFailure: after,
    // An event without a matcher.
    UserPromptSubmit: entry(later("task"), { timeout: timeoutSeconds }),
  };
}

function waitOf({ node, isAlone }: HookCommand): number {
  return node === undefined || isAlone === true ? timeoutSeconds : timeoutWithPeopleSeconds;
}

/** `wait`: as the script wants it, with what the line is for. */
function lineFor(hook: HookCommand, wait: string, end: "deny" | "as-it-ends"): string {
  const { program, node, isAlone, key } = hook;
  const forScript = node === undefined ? [] : [node, isAlone === true ? wait.replace(/\d+$/, "0") : wait];
  return writeHookLine(program, [agentArgument, ...forScript, ...(key === undefined ? [] : [key])], end);
}

/** Exactly what `ourGroups` wrote, whatever version and place of toolgate it was. */
export function isOurs(entry: unknown): boolean {
  if (memberOf(entry, "statusMessage") !== mark || memberOf(entry, "type") !== "command") return false;
  return isOldForm(entry) || ourWords(entry) !== undefined;
}

/**
 * The whole line, letter by letter, as `lineFor` writes it for this event. What somebody put around the line
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
  const path: ProgramPath = { path: rest, ...(below !== undefined && { below: below as ClientVariable }) };
  return command === writeHookLine(path, args, event === "PreToolUse" ? "deny" : "as-it-ends");
}

/** How many arguments each of our executables takes before the key. */
const argumentsBefore: Readonly<Record<string, number>> = { "hook.sh": 3, "hook.cjs": 1 };

/** The unguessable word in an entry of ours. */
export function keyOf(entry: unknown): string | undefined {
  const [program = "", ...args] = (isOurs(entry) ? ourWords(entry) : undefined) ?? [];
  return args[argumentsBefore[nameOf(program)] ?? args.length];
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
  const command = memberOf(entry, "command");
  if (typeof command !== "string" || memberOf(entry, "args") !== undefined) return undefined;
  const words = readHookLine(command);
  const [program, agent] = words ?? [];
  return (isNamed(program, "hook.sh") || isNamed(program, "hook.cjs")) && agent === agentArgument
    ? words
    : undefined;
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

function isNamed(path: unknown, name: string): boolean {
  return typeof path === "string" && nameOf(path) === name;
}

function nameOf(path: string): string {
  return basename(path.replaceAll("\\", "/"));
}

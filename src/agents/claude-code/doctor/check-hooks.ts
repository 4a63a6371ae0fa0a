/** Looks at our hooks where they are installed: would they really run, and block when they fail? */
import type { CheckedSetup, InstalledHook } from "../../agent-setup.ts";
import { memberOf } from "../../read-json-file.ts";
import { readHookLine } from "../../set-up/hook-line.ts";
import { ok, problem, type SetupFinding, warning } from "../../setup-finding.ts";
import { checkEntry } from "./check-entry.ts";
import { type HookEntry, isWrittenLine, listHookEntries, ourEvents, runsToolgate } from "./hook-entries.ts";

export interface HooksPlace {
  /** The file that holds them. */
  readonly file: string;
  readonly hooks: unknown;
  /** A repository brought it along. */
  readonly isForeign?: boolean | undefined;
  /** What the client sets for a command. */
  readonly variables: Readonly<Record<string, string>>;
}

export function checkHooks(places: readonly HooksPlace[]): Omit<CheckedSetup, "covered"> {
  const ours = places.flatMap((place) =>
    listHookEntries(place.hooks)
      .filter(({ event, entry }) => ourEvents.includes(event) && runsToolgate(entry))
      .map((hook) => ({ place, hook, start: startOf(place, hook) })),
  );
  const before = ours.filter(({ hook }) => hook.event === "PreToolUse");
  const findings = [
    ...countFindings(before),
    ...ours.flatMap(({ hook, start }) => checkEntry(hook, start)),
    ...findShadowed(before),
    ...findDeafAfter(ours, before),
    ...places.flatMap(findRewriters),
  ];
  const started = before.filter(({ hook }) => hook.entry.type === "command");
  const installed = new Map(started.map(({ start }) => [JSON.stringify(start), start]));
  return { findings: eachOnce(findings), installed: [...installed.values()] };
}

function countFindings(before: readonly OurHook[]): SetupFinding[] {
  const check = "hooks-installed";
  const asWritten = before.filter(({ hook }) => hook.entry.type === "command" && isWrittenLine(hook));
  const files = asWritten.map(({ place }) => place.file);
  const [file, ...more] = new Set(files);
  // What is wrong with those that are there is said of each of them.
  if (file === undefined && before.length > 0) return [];
  if (file === undefined)
    return [
      problem(
        check,
        "Claude Code does not ask toolgate: no hook is installed.",
        "Run: toolgate install claude-code",
      ),
    ];
  if (files.length === 1) return [ok(check, `Claude Code asks toolgate before each tool call (${file}).`)];
  return [
    warning(
      check,
      `Each tool call is checked ${files.length} times: the hook is in ${[file, ...more].join(" and ")}.`,
      "Keep one: toolgate uninstall claude-code, or claude plugin uninstall toolgate@toolgate.",
    ),
  ];
}

interface OurHook {
  readonly place: HooksPlace;
  readonly hook: HookEntry;
}

/** The client runs a line of several files once, in the manner of the last file (`async`, `timeout`). */
function findShadowed(hooks: readonly OurHook[]): SetupFinding[] {
  return hooks.flatMap(({ place, hook }, index) => {
    const other = hooks
      .slice(index + 1)
      .find((later) => later.hook.entry.command === hook.entry.command && later.place.file !== place.file);
    if (other === undefined || JSON.stringify(other.hook) === JSON.stringify(hook)) return [];
    return [
      problem(
        "hook-shadowed",
        `${other.place.file} has the same hook as ${place.file}, but in another manner, and Claude Code runs only one of them.`,
        `Look at it, and remove the hook from ${other.place.file}.`,
      ),
    ];
  });
}

/** What an older toolgate wrote: nothing is unchecked, but what hooks say after a call reaches nobody. */
function findDeafAfter(ours: readonly OurHook[], before: readonly OurHook[]): SetupFinding[] {
  if (before.length === 0) return [];
  const waits = (event: string) =>
    ours.some(
      ({ hook }) => hook.event === event && hook.entry.type === "command" && hook.entry.async !== true,
    );
  const missing = ourEvents.filter((event) => event !== "PreToolUse" && !waits(event));
  if (missing.length === 0) return [];
  return [
    warning(
      "hook-after",
      `Claude Code does not wait for toolgate at ${missing.join(", ")}: what hooks say about a call that has run does not reach the model, and a task that they end cannot be followed by a new one in the same session.`,
      "Run: toolgate install claude-code",
    ),
  ];
}

/** All hooks run at the same time on the same input; what one of them changes, the others never see. */
function findRewriters({ file, hooks, isForeign }: HooksPlace): SetupFinding[] {
  const others = listHookEntries(hooks).filter(
    ({ event, entry }) => event === "PreToolUse" && entry.async !== true && !runsToolgate(entry),
  );
  if (isForeign !== true || others.length === 0) return [];
  return [
    warning(
      "hook-beside",
      `${file} has hooks of its own that can change a call after toolgate has looked at it.`,
      "Look at what they do.",
    ),
  ];
}

/** With `args` the client itself starts the program and fills in the variables. A line goes to a shell. */
function startOf({ file, variables }: HooksPlace, { entry }: HookEntry): InstalledHook {
  const command = String(memberOf(entry, "command"));
  const args = memberOf(entry, "args");
  if (!Array.isArray(args)) {
    const words = readHookLine(command, variables);
    return { file, command: "/bin/sh", args: ["-c", command], variables, words };
  }
  const filled = (text: unknown) =>
    String(text).replace(/\$\{(\w+)\}/g, (whole, name: string) => variables[name] ?? whole);
  const [program = "", ...rest] = [command, ...(args as unknown[])].map(filled);
  return { file, command: program, args: rest, variables, words: [program, ...rest] };
}

function eachOnce(findings: readonly SetupFinding[]): SetupFinding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

/** Looks at our hooks where they are installed: would they really run, and block when they fail? */
import { existsSync } from "node:fs";
import type { SetupFinding } from "../setup-finding.ts";
import { type HookEntry, listHookEntries, ourEvents, runsToolgate } from "./hook-entries.ts";
import { memberOf } from "./read-json-file.ts";

export interface HooksPlace {
  /** The file that holds them. */
  readonly file: string;
  readonly hooks: unknown;
  /** What `${...}` in a command stands for. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A hook as the client would start it. */
export interface InstalledHook {
  readonly file: string;
  readonly command: string;
  readonly args: readonly string[];
}

const reinstall = "Run: toolgate install claude-code";

export function checkHooks(places: readonly HooksPlace[]): {
  readonly findings: readonly SetupFinding[];
  readonly installed: readonly InstalledHook[];
} {
  const ours = places.flatMap((place) =>
    listHookEntries(place.hooks)
      .filter(({ event, entry }) => ourEvents.includes(event) && runsToolgate(entry))
      .map((hook) => ({ place, hook })),
  );
  const before = ours.filter(({ hook }) => hook.event === "PreToolUse");
  const findings = [
    countFinding(before.map(({ place }) => place.file)),
    ...ours.flatMap(({ place, hook }) => [...checkStart(place, hook), ...checkManner(place, hook)]),
  ];
  const installed = new Map(
    before.map(({ place, hook }) => {
      const start = startOf(place, hook);
      return [JSON.stringify(start), start];
    }),
  );
  return { findings: eachOnce(findings), installed: [...installed.values()] };
}

function countFinding(files: readonly string[]): SetupFinding {
  const check = "hooks-installed";
  const [file, ...more] = new Set(files);
  if (file === undefined)
    return {
      check,
      level: "problem",
      message: "Claude Code does not ask toolgate: no hook is installed.",
      todo: reinstall,
    };
  if (files.length === 1)
    return { check, level: "ok", message: `Claude Code asks toolgate before each tool call (${file}).` };
  return {
    check,
    level: "warning",
    message: `Each tool call is checked ${files.length} times: the hook is in ${[file, ...more].join(" and ")}.`,
    todo: "Keep one: toolgate uninstall claude-code, or claude plugin uninstall toolgate@toolgate.",
  };
}

function checkStart(place: HooksPlace, hook: HookEntry): SetupFinding[] {
  const { args } = startOf(place, hook);
  const files = args.filter((arg) => /hook\.(cjs|sh)$/.test(arg));
  // The script starts what lies beside it.
  const missing = [...files, ...files.map((file) => file.replace(/hook\.sh$/, "hook.cjs"))].find(
    (file) => !existsSync(file),
  );
  if (missing === undefined) return [];
  return [
    {
      check: "hook-file",
      level: "problem",
      message: `${place.file} names ${missing}, which is not there${hook.event === "PreToolUse" ? ": every call is blocked or unchecked" : ""}.`,
      todo: `Build or install toolgate again (npm run build), then: toolgate install claude-code`,
    },
  ];
}

function checkManner({ file }: HooksPlace, { event, matcher, entry }: HookEntry): SetupFinding[] {
  if (event !== "PreToolUse") return [];
  const found: SetupFinding[] = [];
  const add = (level: "warning" | "problem", message: string, todo = reinstall) =>
    found.push({ check: "hook-entry", level, message: `${file}: ${message}`, todo });
  if (entry.onFailure !== "block")
    add("problem", 'the hook has no "onFailure": "block", so a call runs unchecked when the hook fails.');
  if (entry.async === true || entry.asyncRewake === true)
    add("problem", 'the hook is "async": the call does not wait for its answer.');
  if (typeof entry.timeout !== "number")
    add("warning", 'the hook has no "timeout": a hook that hangs holds each call for ten minutes.');
  if (matcher !== undefined)
    add(
      "warning",
      `only tools that match ${JSON.stringify(matcher)} are checked.`,
      "Remove the matcher to check all tools.",
    );
  if (typeof entry.if === "string")
    add(
      "warning",
      `only calls that match ${JSON.stringify(entry.if)} are checked.`,
      'Remove "if" to check all calls.',
    );
  return found;
}

/** Without `args` the client hands the line to a shell. */
function startOf({ file, variables }: HooksPlace, { entry }: HookEntry): InstalledHook {
  const command = String(memberOf(entry, "command"));
  const args = memberOf(entry, "args");
  const filled = (text: unknown) =>
    String(text).replace(/\$\{(\w+)\}/g, (whole, name: string) => variables[name] ?? whole);
  if (Array.isArray(args)) return { file, command: filled(command), args: args.map(filled) };
  return { file, command: "/bin/sh", args: ["-c", filled(command)] };
}

function eachOnce(findings: readonly SetupFinding[]): SetupFinding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

/** What is known at one point while a command line is read from left to right, and what was found so far. */

import type { CommandContext, CommandRedirect, JudgedCommand, OpaquePart } from "../core/ports/command.ts";
import type { JudgeParts } from "./judge-parts.ts";
import type { Loop, LoopUse } from "./loops.ts";

export const READ = 0;
export const WRITE = 1;
export const EXECUTE = 2;
export const OPAQUE = 3;
export const RISKS = ["read", "write", "execute", "opaque"] as const;

/** What a variable holds: its text, a number not known yet, or anything. */
export const ANYTHING = 0;
export const NUMBER = 1;
export type Value = string | typeof ANYTHING | typeof NUMBER;

/** A directory the line may be in: `""` is where it started, `null` is not known. */
export type Directory = string | null;

export const START_DIRECTORY: readonly Directory[] = [""];
export const UNKNOWN_DIRECTORY: readonly Directory[] = [null];
const NO_WRAPPERS: readonly string[] = [];

const MAX_COMMANDS = 1_000;
/** A nested substitution costs its length again, so a long line can attack by depth. */
export const MAX_NESTING = 20;
export const MAX_WRAPPERS = 16;
const MAX_OPAQUE_TEXT = 120;

/** A list that grows at its head, so that leaving a branch is going back to an older head. */
interface Settled {
  readonly name: string;
  readonly length: number;
  readonly rest: Settled | undefined;
}

const MAX_SETTLED = 200;

export interface Walk {
  readonly parts: JudgeParts;
  readonly context: CommandContext;
  /** The text that the positions of what is being read belong to. */
  source: string;
  readonly commands: JudgedCommand[];
  readonly redirects: CommandRedirect[];
  readonly opaque: OpaquePart[];
  /** Some text was not parsed. */
  unread?: true;
  risk: number;
  network: boolean;
  /** The wrappers around what is being read now. */
  via: readonly string[];
  directories: readonly Directory[];
  /** False where a statement may not run, may run again, or runs in a child shell. */
  certain: boolean;
  /** Text for `sh`, where bash syntax means something else. */
  posix: boolean;
  /** Text for a shell that is or may be zsh: what it reads differently is opaque. */
  zsh: boolean;
  /** Inside double quotes, a here-document or arithmetic, where `'` does not quote. */
  inQuotes: boolean;
  /** What is being read now gets its input from the line. */
  fed: boolean;
  /** How many shells or evals deep, and how many substitutions. */
  depth: number;
  nesting: number;
  /** Inside a substitution that is more than one simple command. */
  compound: boolean;
  values: Map<string, Value> | undefined;
  /** Names that the line has certainly set before what is read now: the others are the environment's. */
  settled: Settled | undefined;
  functions: Set<string> | undefined;
  /** Variables that were evaluated or trusted, and those with text from the line: they must not meet. */
  trusted: Set<string> | undefined;
  tainted: Set<string> | undefined;
  /** Variables that the line sets in more than one place. */
  reassigned: Set<string> | undefined;
  /** The loops around what is being read now, by their variable. */
  loops: ReadonlyMap<string, Loop> | undefined;
  loopUses: LoopUse[] | undefined;
  /** How many paths were taken from loops so far. */
  loopChoices: number;
  /** How much was spent so far on text of which a part is not known. */
  partsRead: number;
  /** How much was spent so far on commands that a program is given to run. */
  opened: number;
}

export function startWalk(parts: JudgeParts, context: CommandContext): Walk {
  return {
    parts,
    context,
    source: "",
    commands: [],
    redirects: [],
    opaque: [],
    risk: READ,
    network: false,
    via: NO_WRAPPERS,
    directories: START_DIRECTORY,
    certain: true,
    posix: false,
    zsh: context.dialect === "zsh",
    inQuotes: false,
    fed: false,
    depth: 0,
    nesting: 0,
    compound: false,
    values: undefined,
    settled: undefined,
    functions: undefined,
    trusted: undefined,
    tainted: undefined,
    reassigned: undefined,
    loops: undefined,
    loopUses: undefined,
    loopChoices: 0,
    partsRead: 0,
    opened: 0,
  };
}

export function markOpaque(walk: Walk, reason: string, text: string): void {
  walk.risk = OPAQUE;
  if (walk.opaque.length >= 20) return;
  walk.opaque.push({
    reason,
    text: text.length > MAX_OPAQUE_TEXT ? `${text.slice(0, MAX_OPAQUE_TEXT)}...` : text,
  });
}

/** Of text that no part was read of. */
export function markUnread(walk: Walk, reason: string, text: string): void {
  walk.unread = true;
  markOpaque(walk, reason, text);
}

export function raiseRisk(walk: Walk, risk: number): void {
  if (risk > walk.risk) walk.risk = risk;
}

export function addCommand(walk: Walk, command: JudgedCommand): void {
  if (walk.commands.length < MAX_COMMANDS) walk.commands.push(command);
  else if (walk.commands.length === MAX_COMMANDS) {
    walk.commands.push(command);
    markOpaque(walk, `the line has more than ${MAX_COMMANDS} commands; split it`, "");
  }
}

/** Reads a part after which some of what is known is again as it was before. */
export function restoring(walk: Walk, names: readonly (keyof Walk)[], read: () => void): void {
  const before = Object.fromEntries(names.map((name) => [name, walk[name]]));
  read();
  Object.assign(walk, before);
}

/** Runs `read` for a part that may not run, may run more than once, or runs in a child shell. */
export function uncertainly(walk: Walk, childShell: boolean, read: () => void): void {
  const certain = walk.certain;
  const { directories, settled } = walk;
  walk.certain = false;
  read();
  walk.certain = certain;
  walk.settled = settled;
  if (childShell) walk.directories = directories;
  else if (walk.directories !== directories)
    walk.directories = eitherDirectory(directories, walk.directories);
}

export function eitherDirectory(a: readonly Directory[], b: readonly Directory[]): readonly Directory[] {
  const all = [...a];
  for (const directory of b) if (!all.includes(directory)) all.push(directory);
  return all.length > 4 ? UNKNOWN_DIRECTORY : all;
}

/** In a loop or function an assignment further down can come first, so no text is known there. */
export function forgetValues(walk: Walk): void {
  if (walk.values === undefined) return;
  for (const [name, value] of walk.values) {
    if (typeof value === "string") walk.values.set(name, isNumberText(value) ? NUMBER : ANYTHING);
  }
}

export function trust(walk: Walk, names: readonly string[] | undefined): void {
  if (names === undefined) return;
  walk.trusted ??= new Set();
  for (const name of names) walk.trusted.add(name);
}

export function settle(walk: Walk, name: string): void {
  const rest = walk.settled;
  const length = (rest?.length ?? 0) + 1;
  if (length <= MAX_SETTLED && !isSettled(walk, name)) walk.settled = { name, length, rest };
}

export function isSettled(walk: Walk, name: string): boolean {
  for (let one = walk.settled; one !== undefined; one = one.rest) if (one.name === name) return true;
  return false;
}

export function isNumberText(text: string): boolean {
  // Not `08`: arithmetic fails on it, and what it would have set keeps its old text.
  return /^-?(?:0|[1-9][0-9]{0,17})$/.test(text);
}

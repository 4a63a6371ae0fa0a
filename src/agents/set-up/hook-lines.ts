/** The lines that an agent starts: before a call, after it, and when a person gives the session a new task. */
import { type LineEnd, type ProgramPath, readHookLine, writeHookLine } from "./hook-line.ts";

/** One shell line whose first word is an executable of ours. */
export interface HookCommand {
  /** `hook.sh`, which asks a running server, or `hook.cjs`, which finds its node on the PATH. */
  readonly program: ProgramPath;
  /** For `hook.sh`: the node that it starts where no server answers. */
  readonly node?: string | undefined;
  /** For `hook.sh`: never ask a server. */
  readonly isAlone?: boolean | undefined;
  /**
   * A word that nobody can guess. Some agents run equal lines once, in the manner of the last file: a
   * repository that knows our line could make it one whose answer is not waited for.
   */
  readonly key?: string | undefined;
}

export interface HookLine {
  readonly line: string;
  /** Program and arguments, for an agent that takes them one by one. */
  readonly words: readonly string[];
  /** How long the agent has to wait. */
  readonly seconds: number;
}

export interface HookLines {
  /** Can deny. `aloud`: for an agent that takes the exit code only with words on standard error. */
  readonly before: HookLine & { readonly aloud: string };
  /** Denies nothing any more; the agent waits, because a hook may have something to say about the call. */
  readonly after: HookLine;
  readonly task: HookLine;
}

/** Above our own deadline, below the patience of people. */
export const timeoutSeconds = 30;
/** A server that is asked may ask a person. */
const timeoutWithPeopleSeconds = 300;

export function linesOf(agent: string, hook: HookCommand): HookLines {
  const { node, isAlone } = hook;
  const wait = node === undefined || isAlone === true ? timeoutSeconds : timeoutWithPeopleSeconds;
  const before = { when: "", seconds: wait, end: "deny" } as const;
  const later = { seconds: timeoutSeconds, end: "as-it-ends" } as const;
  return {
    before: {
      ...lineFor(agent, hook, before),
      aloud: lineFor(agent, hook, { ...before, end: "deny-aloud" }).line,
    },
    after: lineFor(agent, hook, { ...later, when: "after:" }),
    task: lineFor(agent, hook, { ...later, when: "task:" }),
  };
}

interface LineKind {
  /** As the script wants it, with what the line is for. */
  readonly when: "" | "after:" | "task:";
  readonly seconds: number;
  readonly end: LineEnd;
}

function lineFor(
  agent: string,
  { program, node, isAlone, key }: HookCommand,
  { when, seconds, end }: LineKind,
): HookLine {
  const forScript = node === undefined ? [] : [node, `${when}${isAlone === true ? 0 : seconds}`];
  const args = [agent, ...forScript, ...(key === undefined ? [] : [key])];
  const start = program.below === undefined ? program.path : `$${program.below}/${program.path}`;
  return {
    line: writeHookLine(program, args, end),
    words: [start, ...args],
    seconds,
  };
}

/** The words of a line of ours for this agent, whatever version and place of toolgate wrote it. */
export function ourWords(line: unknown, agent: string): readonly string[] | undefined {
  const words = typeof line === "string" ? readHookLine(line) : undefined;
  const [program, named] = words ?? [];
  return (isNamed(program, "hook.sh") || isNamed(program, "hook.cjs")) && named === agent ? words : undefined;
}

/** How many arguments each of our executables takes before the key. */
const argumentsBefore: Readonly<Record<string, number>> = { "hook.sh": 3, "hook.cjs": 1 };

/** The unguessable word in a line of ours. */
export function keyIn(words: readonly string[] | undefined): string | undefined {
  const [program = "", ...args] = words ?? [];
  return args[argumentsBefore[nameOf(program)] ?? args.length];
}

/** From what such a line was written. Written again, a line that nobody changed is the same. */
export function commandIn(words: readonly string[]): HookCommand {
  const [start = "", , node, wait] = words;
  const [, below, path = start] = /^\$(\w+)\/(.*)$/s.exec(start) ?? [];
  const key = keyIn(words);
  return {
    program: { path, ...(below !== undefined && { below }) },
    ...(isNamed(start, "hook.sh") && { node }),
    ...(isNamed(start, "hook.sh") && /^(?:\w+:)?0$/.test(wait ?? "") && { isAlone: true }),
    ...(key !== undefined && { key }),
  };
}

/** Lines that cannot be anybody's, to learn the form of entries. */
export function placeholderLines(agent: string): HookLines {
  return linesOf(agent, { program: { path: "/hook.sh" }, node: "node" });
}

export function isNamed(path: unknown, name: string): boolean {
  return typeof path === "string" && nameOf(path) === name;
}

function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

/** What install and uninstall say about each agent, for people or as JSON. */
import type { AgentAdapter } from "../../../../agents/agent.ts";
import type { FileChange, SetupResult } from "../../../../agents/agent-setup.ts";
import { findFolders } from "../../../../config/folders.ts";
import { visible } from "../../../../core/text/visible.ts";
import { coloursFor } from "../../terminal/colours.ts";
import { type CliIo, exitCodes } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { shownPath } from "../../terminal/shown.ts";
import type { SetupOptions } from "./setup-request.ts";

export interface AgentEnd {
  readonly agent: AgentAdapter;
  readonly result: SetupResult;
  /** What the agent still wanted to be told, and whether it was. */
  readonly trust?: { readonly done: boolean; readonly message: string } | undefined;
}

export type Done = Extract<SetupResult, { ok: true }>;

export function isChanged({ files }: Done): boolean {
  return files.some(({ change }) => change !== "none");
}

/** One list, with every agent that was meant. */
export function printEnds(
  ends: readonly AgentEnd[],
  { scope = "user", dryRun = false }: SetupOptions,
  io: CliIo,
): void {
  const told = ends.map(({ agent: { name: agent }, result, trust }) => {
    if (!result.ok) return { ok: false, agent, message: result.message };
    const { files, command, notes } = result;
    const [file, changed] = [files[0]?.file, isChanged(result)];
    return { ok: true, agent, scope, file, changed, dryRun, command, files, notes, ...(trust && { trust }) };
  });
  io.out(`${JSON.stringify(told, null, 2)}\n`);
}

/** Before any agent was looked at. */
export function failed(message: string, { json }: SetupOptions, io: CliIo): number {
  if (json === true) io.out(`${JSON.stringify([{ ok: false, message }], null, 2)}\n`);
  else io.err(`${visible(asTyped(message, io), { keepNewlines: true })}\n`);
  return exitCodes.failed;
}

/** An agent that skips what was installed is not guarded: then it has not worked. */
export function exitCodeOf(ends: readonly AgentEnd[], { dryRun }: SetupOptions): number {
  const isDone = ({ result, trust }: AgentEnd) => result.ok && (dryRun === true || trust?.done !== false);
  return ends.every(isDone) ? exitCodes.ok : exitCodes.failed;
}

export function tellFailure({ title }: AgentAdapter, message: string, io: CliIo): void {
  io.err(`${title}: ${visible(asTyped(message, io), { keepNewlines: true })}\n`);
}

export function tellNotes(ends: readonly AgentEnd[], io: CliIo): void {
  const notes = ends.flatMap(({ result }) => (result.ok ? result.notes : []));
  for (const note of new Set(notes)) io.out(`note: ${visible(asTyped(note, io))}\n`);
}

/** The files of one agent in one line. */
export function shownFiles({ files }: Done, io: CliIo): string {
  const changed = files.filter(({ change }) => change !== "none");
  return (changed.length > 0 ? changed : files).map(({ file }) => shown(file, io)).join(", ");
}

/** Every line that comes and goes. */
export function describePlan({ title }: AgentAdapter, { files }: Done, io: CliIo): string {
  const changed = files.filter(({ change }) => change !== "none");
  return `${title}\n${changed.map((file) => describeFile(file, io)).join("")}`;
}

const verbs = { none: "", made: "new file ", changed: "", removed: "remove " } as const;

/** The code of a plugin is hundreds of lines; entries are fewer. */
const maxShownLines = 80;

function describeFile({ file, change, added, removed }: FileChange, io: CliIo): string {
  const { green, red } = coloursFor(io);
  const all = [
    ...removed.map((line) => red(`    - ${visible(line)}`)),
    ...added.map((line) => green(`    + ${visible(line)}`)),
  ];
  const more = all.length - maxShownLines;
  const lines = more > 0 ? [...all.slice(0, maxShownLines), `    … ${more} more lines`] : all;
  return `  ${verbs[change]}${shown(file, io)}\n${lines.map((line) => `${line}\n`).join("")}`;
}

export function shown(file: string, io: CliIo): string {
  const { home } = findFolders(io.env);
  return file.startsWith(`${home}/`) ? visible(`~${file.slice(home.length)}`) : shownPath(file, io.cwd);
}

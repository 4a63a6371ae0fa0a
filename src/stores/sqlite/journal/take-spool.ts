/** Takes the lines of hooks into the ledger, each exactly once: position and rows are in one transaction. */

import { closeSync, rmSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../../core/call/errors.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import { parseLine } from "../../ledger/parse-line.ts";
import type { StoreContext } from "../area.ts";
import { append } from "../ledger/append.ts";
import { statements } from "../ledger/statements.ts";
import { listOwnFolder } from "../own-folder.ts";
import { spoolForm } from "./frames.ts";
import { openLines, readPiece, type TakenLines, takeLines } from "./take-lines.ts";

export interface TakenSpool {
  readonly taken: number;
  /** Call again. */
  readonly more: boolean;
}

const dayFile = /^(\d{4}-\d{2}-\d{2})\.jsonl$/;
/** Hooks write to the file of their own day; clocks and late hooks get a day more. */
const keptDays = 2;

export function takeSpool(store: StoreContext): TakenSpool {
  const folder = join(store.stateFolder, "spool");
  for (const name of listDays(folder)) {
    const { lines, bytes } = takeFile(store, name);
    if (bytes > 0) return { taken: lines, more: true };
  }
  return { taken: 0, more: false };
}

/** Removes files that are whole in the ledger and that nobody writes to any more. After the commit. */
export function removeTaken(store: StoreContext): void {
  const folder = join(store.stateFolder, "spool");
  for (const name of listDays(folder)) {
    if (!isOver(store, name)) continue;
    const file = open(store, name);
    if (file === undefined) continue;
    const { fd, inode, size } = file;
    closeSync(fd);
    const known = store.get(statements.spoolFile, name);
    if (known?.inode === inode && Number(known.taken_bytes) === size)
      rmSync(join(folder, name), { force: true });
  }
}

const problemsKey = "ledger.spool-problems";

/** Others are not to wait for a file that cannot be taken; whoever verifies hears of it. */
function noteProblem(store: StoreContext, name: string, problem: unknown): void {
  const problems = new Map(spoolProblems(store)).set(name, messageOf(problem));
  if (problem === undefined) problems.delete(name);
  store.kept.set(problemsKey, problems);
}

function spoolProblems(store: StoreContext): ReadonlyMap<string, string> {
  return (store.kept.get(problemsKey) as ReadonlyMap<string, string> | undefined) ?? new Map();
}

/** Files whose next line could not be taken, and why. */
export function listUntakenSpool(store: StoreContext): { readonly name: string; readonly why: string }[] {
  return [...spoolProblems(store)].map(([name, why]) => ({ name: `spool/${name}`, why }));
}

function isOver(store: StoreContext, name: string): boolean {
  return name.slice(0, 10) < new Date(store.now() - keptDays * 86_400_000).toISOString().slice(0, 10);
}

const nothing: TakenLines = { lines: 0, bytes: 0 };

function takeFile(store: StoreContext, name: string): TakenLines {
  const file = open(store, name);
  if (file === undefined) return nothing;
  const { fd, inode, size } = file;
  try {
    const known = store.get(statements.spoolFile, name);
    const before = Number(known?.taken_bytes ?? 0);
    const isOther = known !== undefined && (known.inode !== inode || before > size);
    const from = isOther ? 0 : before;
    if (from >= size) return nothing;
    const { bytes, isAll } = readPiece(fd, from, size);
    const taken = takeLines(store, bytes, from, {
      name: `spool/${name}`,
      form: spoolForm,
      // Until then the last line may still be being written.
      isOver: isAll && isOver(store, name),
      isOld: (line) => isRecord(parseLine(line), 1),
      take: (line, isSummed) => takeLine(store, line, isSummed),
    });
    noteProblem(store, name, taken.problem);
    if (taken.bytes === 0) return nothing;
    if (isOther)
      append(store, "note", {
        at: store.now(),
        message: `The spool file ${name} is another one than before and was taken from its start.`,
      });
    store.run(statements.moveSpool, name, inode, from + taken.bytes);
    return taken;
  } finally {
    closeSync(fd);
  }
}

function takeLine(store: StoreContext, line: string, isSummed: boolean): boolean {
  // The sum stands inside of the object, at its end.
  const read = parseLine(isSummed ? `${line}}` : line);
  if (!isRecord(read, isSummed ? 2 : 1)) return false;
  const { event, v: _, ...facts } = read;
  append(store, event === "check" ? "completion" : "end", facts);
  return true;
}

function isRecord(read: JsonObject | undefined, version: 1 | 2): read is JsonObject {
  return read?.v === version && (read.event === "check" || read.event === "end");
}

function listDays(folder: string): string[] {
  return listOwnFolder(folder).filter((name) => dayFile.test(name));
}

/** Undefined: gone meanwhile, not readable for us, or not ours. */
function open(
  store: StoreContext,
  name: string,
): { readonly fd: number; readonly inode: string; readonly size: number } | undefined {
  try {
    const { fd, stat } = openLines(join(store.stateFolder, "spool", name));
    return { fd, inode: `${stat.dev}:${stat.ino}`, size: stat.size };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") noteProblem(store, name, error);
    return undefined;
  }
}

/** Files of hooks: one a day, each taken piece by piece, whatever keeps how far that is. */
import { closeSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../../core/input/json.ts";
import { parseLine } from "../parse-line.ts";
import { spoolForm } from "./frames.ts";
import { listOwnFolder } from "./own-folder.ts";
import { type LineLedger, openLines, readPiece, type TakenLines, takeLines } from "./take-lines.ts";

/** How much of a file is in the ledger. Another inode is another file of the same name. */
export interface TakenUpTo {
  readonly inode: string;
  readonly bytes: number;
}

export interface TakenFile {
  readonly lines: number;
  /** Undefined: nothing new is in it. */
  readonly upTo: TakenUpTo | undefined;
  /** Why the next line could not be taken, or the file not be opened. */
  readonly problem: unknown;
}

const dayFile = /^(\d{4}-\d{2}-\d{2})\.jsonl$/;
/** Hooks write to the file of their own day; clocks and late hooks get a day more. */
const keptDays = 2;

export function listSpool(stateFolder: string): string[] {
  return listOwnFolder(join(stateFolder, "spool")).filter((name) => dayFile.test(name));
}

export function takeSpoolFile(ledger: LineLedger, name: string, known: TakenUpTo | undefined): TakenFile {
  const file = open(ledger.stateFolder, name);
  if ("problem" in file) return { lines: 0, upTo: undefined, problem: file.problem };
  const { fd, inode, size } = file;
  try {
    const before = known?.bytes ?? 0;
    const isOther = known !== undefined && (known.inode !== inode || before > size);
    const from = isOther ? 0 : before;
    if (from >= size) return { lines: 0, upTo: undefined, problem: undefined };
    const { bytes, isAll } = readPiece(fd, from, size);
    const taken: TakenLines = takeLines(ledger, bytes, from, {
      name: `spool/${name}`,
      form: spoolForm,
      // Until then the last line may still be being written.
      isOver: isAll && isOver(name, ledger.now()),
      isOld: (line) => isRecord(parseLine(line), 1),
      take: (line, isSummed) => takeLine(ledger, line, isSummed),
    });
    const { problem } = taken;
    if (taken.bytes === 0) return { lines: 0, upTo: undefined, problem };
    if (isOther)
      ledger.append("note", {
        at: ledger.now(),
        message: `The spool file ${name} is another one than before and was taken from its start.`,
      });
    return { lines: taken.lines, upTo: { inode, bytes: from + taken.bytes }, problem };
  } finally {
    closeSync(fd);
  }
}

/** Removes a file that is whole in the ledger and that nobody writes to any more. After the commit. */
export function removeIfTaken(
  stateFolder: string,
  name: string,
  { now, known }: { readonly now: number; readonly known: TakenUpTo | undefined },
): void {
  if (!isOver(name, now)) return;
  const file = open(stateFolder, name);
  if ("problem" in file) return;
  closeSync(file.fd);
  if (known?.inode === file.inode && known.bytes === file.size)
    rmSync(join(stateFolder, "spool", name), { force: true });
}

function isOver(name: string, now: number): boolean {
  return name.slice(0, 10) < new Date(now - keptDays * 86_400_000).toISOString().slice(0, 10);
}

function takeLine(ledger: LineLedger, line: string, isSummed: boolean): boolean {
  // The sum stands inside of the object, at its end.
  const read = parseLine(isSummed ? `${line}}` : line);
  if (!isRecord(read, isSummed ? 2 : 1)) return false;
  const { event, v: _, ...facts } = read;
  ledger.append(event === "check" ? "completion" : "end", facts);
  return true;
}

function isRecord(read: JsonObject | undefined, version: 1 | 2): read is JsonObject {
  return read?.v === version && (read.event === "check" || read.event === "end");
}

/** A problem: not readable for us, or not ours. One that is gone meanwhile is none. */
function open(
  stateFolder: string,
  name: string,
): { readonly fd: number; readonly inode: string; readonly size: number } | { readonly problem: unknown } {
  try {
    const { fd, stat } = openLines(join(stateFolder, "spool", name));
    return { fd, inode: `${stat.dev}:${stat.ino}`, size: stat.size };
  } catch (error) {
    return { problem: (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : error };
  }
}

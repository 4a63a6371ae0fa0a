/** Takes the lines that hooks have written into the ledger, each exactly once: how far a file was taken is kept in the same transaction as its rows. */

import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseLine } from "../../ledger/parse-line.ts";
import type { StoreContext } from "../area.ts";
import { append } from "./append.ts";
import { statements } from "./statements.ts";

export interface TakenSpool {
  readonly taken: number;
  /** Call again. */
  readonly more: boolean;
}

/** In one transaction, so that other writers get their turn soon. */
const bytesAtOnce = 256 * 1024;
/** No line is longer; what is would be no line of ours. */
const longestLine = 2 * 1024 * 1024;
const dayFile = /^(\d{4}-\d{2}-\d{2})\.jsonl$/;
/** Hooks write to the file of their own day; clocks and late hooks get a day more. */
const keptDays = 2;

export function takeSpool(store: StoreContext): TakenSpool {
  const folder = join(store.stateFolder, "spool");
  for (const name of listDays(folder)) {
    const taken = takeFile(store, folder, name);
    if (taken > 0) return { taken, more: true };
  }
  return { taken: 0, more: false };
}

/** Files that are whole in the ledger and that nobody writes to any more. Outside a transaction, after the commit. */
export function removeTaken(store: StoreContext): void {
  const folder = join(store.stateFolder, "spool");
  const oldest = new Date(store.now() - keptDays * 86_400_000).toISOString().slice(0, 10);
  for (const name of listDays(folder)) {
    if (name.slice(0, 10) >= oldest) continue;
    const file = open(folder, name);
    if (file === undefined) continue;
    const { fd, inode, size } = file;
    closeSync(fd);
    const known = store.get(statements.spoolFile, name);
    if (known?.inode === inode && Number(known.taken_bytes) === size)
      rmSync(join(folder, name), { force: true });
  }
}

function takeFile(store: StoreContext, folder: string, name: string): number {
  const file = open(folder, name);
  if (file === undefined) return 0;
  const { fd, inode, size } = file;
  try {
    const known = store.get(statements.spoolFile, name);
    const before = Number(known?.taken_bytes ?? 0);
    const isOther = known !== undefined && (known.inode !== inode || before > size);
    const from = isOther ? 0 : before;
    if (from >= size) return 0;
    const lines = readLines(fd, from, size);
    if (lines.bytes === 0) return 0;
    if (isOther)
      append(store, "note", {
        at: store.now(),
        message: `The spool file ${name} is another one than before and was taken from its start.`,
      });
    for (const line of lines.texts) takeLine(store, name, line);
    store.run(statements.moveSpool, name, inode, from + lines.bytes);
    return lines.texts.length;
  } finally {
    closeSync(fd);
  }
}

/** Whole lines only: the last one may still be being written. */
function readLines(
  fd: number,
  from: number,
  size: number,
): { readonly texts: string[]; readonly bytes: number } {
  for (let most = bytesAtOnce; ; most *= 2) {
    const bytes = Buffer.alloc(Math.min(most, size - from));
    const count = readSync(fd, bytes, 0, bytes.length, from);
    const end = bytes.lastIndexOf(10, count - 1) + 1;
    if (end > 0) return { texts: bytes.toString("utf8", 0, end - 1).split("\n"), bytes: end };
    if (count < bytes.length || count >= size - from) return { texts: [], bytes: 0 };
    if (most > longestLine) return { texts: [`(a line of more than ${count} bytes)`], bytes: count };
  }
}

function takeLine(store: StoreContext, name: string, line: string): void {
  if (line === "") return;
  const { event, v, ...facts } = parseLine(line) ?? {};
  if (v === 1 && event === "check") append(store, "completion", facts);
  else if (v === 1 && event === "end") append(store, "end", facts);
  else
    append(store, "note", {
      at: store.now(),
      message: `A line of the spool file ${name} could not be read.`,
      characters: line.length,
    });
}

function listDays(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => dayFile.test(name))
      .sort();
  } catch {
    return [];
  }
}

/** A link or a pipe in its place is not ours and is left alone. */
function open(
  folder: string,
  name: string,
): { readonly fd: number; readonly inode: string; readonly size: number } | undefined {
  try {
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const fd = openSync(join(folder, name), flags);
    const stat = fstatSync(fd);
    if (stat.isFile()) return { fd, inode: `${stat.dev}:${stat.ino}`, size: stat.size };
    closeSync(fd);
  } catch {
    // Gone meanwhile, or not readable for us.
  }
  return undefined;
}

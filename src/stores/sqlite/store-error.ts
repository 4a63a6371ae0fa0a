/** What SQLite and the disk say, as a StoreError: one sentence that says what to do. */
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "../../core/call/errors.ts";
import { StoreError, type StoreProblem } from "../../core/ports/store-error.ts";

/** From SQLite's result codes, in their short and extended forms. */
export function toStoreError(error: unknown, file: string, freeBytes = freeBytesBeside): StoreError {
  if (error instanceof StoreError) return error;
  const { errcode, code } = error as { readonly errcode?: unknown; readonly code?: unknown };
  if (code === "ENOSPC" || code === "EDQUOT")
    return toStoreError({ errcode: 13, message: messageOf(error) }, file);
  if (code === "EROFS" || code === "EACCES")
    return toStoreError({ errcode: 8, message: messageOf(error) }, file);
  const message = messageOf(error);
  const result = typeof errcode === "number" ? errcode & 0xff : undefined;
  // Where the shared memory or the log cannot grow on a full disk, SQLite says only that the disk failed.
  const isFull = result === ioError && freeBytes(file) < leastFreeBytes;
  const known = result === undefined ? undefined : byCode[isFull ? full : result];
  if (known === undefined) return new StoreError("failed", `The store ${file} failed: ${message}`);
  return new StoreError(known.problem, `${known.explain(file)} (${message})`);
}

const ioError = 10;
const full = 13;
/** The -shm file grows by 32 KB. */
const leastFreeBytes = 65_536;

const plentyBytes = 4 * 1024 * 1024;

/** So much that the next records fit for certain. */
export function hasRoom(file: string): boolean {
  return freeBytesBeside(file) >= plentyBytes;
}

function freeBytesBeside(file: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

interface Known {
  readonly problem: StoreProblem;
  readonly explain: (file: string) => string;
}

const corrupt: Known = {
  problem: "corrupt",
  explain: (file) =>
    `The store ${file} is damaged. Move it away together with its -wal and -shm files, and put a copy back or start anew; docs/operate.md says how. Nothing runs without a record.`,
};
const cannotOpen: Known = {
  problem: "cannot_open",
  explain: (file) => `The store ${file} cannot be opened; check that its folder exists and belongs to you.`,
};
const readOnly: Known = {
  problem: "read_only",
  explain: (file) =>
    `The store ${file} cannot be written: the file, its folder or the disk is read-only. Make it writable; nothing runs without a record.`,
};
const busy: Known = {
  problem: "busy",
  explain: (file) => `The store ${file} is held by another process for too long. Try again.`,
};

const byCode: Readonly<Record<number, Known>> = {
  3: { ...readOnly, explain: (file) => `The store ${file} may not be read or written by this user.` },
  5: busy,
  6: busy,
  8: readOnly,
  10: {
    problem: "failed",
    explain: (file) =>
      `The disk that holds the store ${file} reports an error. Check the disk; nothing runs without a record.`,
  },
  11: corrupt,
  13: {
    problem: "full",
    explain: (file) =>
      `The disk that holds the store ${file} is full. Free some space; nothing runs without a record.`,
  },
  14: cannotOpen,
  26: corrupt,
};

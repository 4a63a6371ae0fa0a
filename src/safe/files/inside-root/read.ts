/** Reads a regular file through the handle that was checked, in bounded pieces, with its hash. */
import { createHash } from "node:crypto";
import { fstatSync, read as readCallback, readSync } from "node:fs";
import { promisify } from "node:util";
import { withVerified } from "./grips/open-verified.ts";
import type { Spot } from "./grips/walk.ts";
import { cancelled, withSpot } from "./grips/with-spot.ts";
import { type Refusal, refuse, refusePath } from "./refusal.ts";
import type { Scope } from "./scope.ts";

const readLater = promisify(readCallback);

/** A piece of this size is read at once: handing it to another thread costs many times as much. */
export const maxDirectBytes = 64 * 1024;

/** As much of the buffer as the file can fill. */
export async function readPiece(
  fd: number,
  into: Buffer,
  position: number,
  isDirect = into.length <= maxDirectBytes,
): Promise<number> {
  if (isDirect) return readSync(fd, into, 0, into.length, position);
  return (await readLater(fd, into, 0, into.length, position)).bytesRead;
}

export interface ReadOptions {
  readonly cwd?: string;
  /** Narrows the limit of the object; cannot widen it. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

export interface FileContents {
  readonly ok: true;
  readonly absolute: string;
  readonly bytes: Buffer;
  /** sha256 of the whole contents, for `expectedHash` of a write. */
  readonly hash: string;
  readonly size: number;
  readonly mode: number;
  readonly modifiedMs: number;
}

export interface FileRange {
  readonly ok: true;
  readonly absolute: string;
  readonly bytes: Buffer;
  readonly offset: number;
  /** Of the whole file, now. */
  readonly size: number;
  readonly atEnd: boolean;
}

export function readInside(
  scope: Scope,
  request: string,
  options: ReadOptions = {},
): Promise<FileContents | Refusal> {
  const limit = narrower(scope.maxBytes, options.maxBytes);
  return withOpenFile(scope, request, options, async (fd, spot) => {
    const stats = fstatSync(fd);
    if (stats.size > limit) return tooLarge(request, stats.size, limit);
    // One byte more than allowed: a file that grows while it is read is noticed, not cut.
    const expected = Math.min(stats.size, limit) + 1;
    const bytes = await readUpTo(fd, { offset: 0, expected, most: limit + 1, signal: options.signal });
    if (bytes === undefined) return cancelled(request);
    if (bytes.length > limit) return tooLarge(request, bytes.length, limit);
    return {
      ok: true,
      absolute: spot.absolute,
      bytes,
      hash: contentHash(bytes),
      size: bytes.length,
      mode: stats.mode & 0o7777,
      modifiedMs: stats.mtimeMs,
    };
  });
}

export function readRangeInside(
  scope: Scope,
  request: string,
  range: { readonly offset: number; readonly limit: number },
  options: ReadOptions = {},
): Promise<FileRange | Refusal> {
  const { offset } = range;
  if (!Number.isSafeInteger(offset) || offset < 0 || !Number.isSafeInteger(range.limit) || range.limit < 1) {
    const message = "offset must be a whole number from 0, limit a whole number from 1.";
    return Promise.resolve(refuse("invalid_path", request, message));
  }
  const limit = Math.min(range.limit, narrower(scope.maxBytes, options.maxBytes));
  return withOpenFile(scope, request, options, async (fd, spot) => {
    const bytes = await readUpTo(fd, { offset, expected: limit, most: limit, signal: options.signal });
    if (bytes === undefined) return cancelled(request);
    const { size } = fstatSync(fd);
    return { ok: true, absolute: spot.absolute, bytes, offset, size, atEnd: offset + bytes.length >= size };
  });
}

/** sha256 of an open file of any size, read in pieces; undefined when cancelled. */
export async function hashOfFile(fd: number, signal?: AbortSignal): Promise<string | undefined> {
  const hash = createHash("sha256");
  // Of a small file not more than it has: a large buffer costs more than reading it.
  const piece = Buffer.allocUnsafe(Math.min(256 * 1024, fstatSync(fd).size + 1));
  for (let position = 0; ; ) {
    if (signal?.aborted) return undefined;
    const bytesRead = await readPiece(fd, piece, position);
    if (bytesRead === 0) return hash.digest("hex");
    hash.update(piece.subarray(0, bytesRead));
    position += bytesRead;
  }
}

export function contentHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Lets `use` read the file at a path; also for those who want more than its contents. */
export function withOpenFile<Result>(
  scope: Scope,
  request: string,
  options: { readonly cwd?: string },
  use: (fd: number, spot: Spot) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  return withSpot(scope, request, { access: "read", cwd: options.cwd }, (spot) =>
    withVerified(scope, spot, request, (fd) => use(fd, spot)),
  );
}

function narrower(most: number, wanted: number | undefined): number {
  return wanted !== undefined && Number.isSafeInteger(wanted) && wanted > 0 ? Math.min(wanted, most) : most;
}

interface Wanted {
  readonly offset: number;
  /** So many bytes are likely; `most` is the limit. */
  readonly expected: number;
  readonly most: number;
  readonly signal: AbortSignal | undefined;
}

async function readUpTo(fd: number, { offset, expected, most, signal }: Wanted): Promise<Buffer | undefined> {
  let buffer = Buffer.allocUnsafeSlow(expected);
  let filled = 0;
  for (;;) {
    if (signal?.aborted) return undefined;
    if (filled === buffer.length) {
      if (filled >= most) return buffer;
      buffer = Buffer.concat([buffer], Math.min(most, buffer.length * 2 + 4096));
    }
    const bytesRead = await readPiece(fd, buffer.subarray(filled), offset + filled);
    if (bytesRead === 0) return buffer.subarray(0, filled);
    filled += bytesRead;
  }
}

function tooLarge(request: string, size: number, limit: number): Refusal {
  return refusePath(
    "too_large",
    request,
    `has ${size} bytes, more than the ${limit} that one read returns. Read it in pieces with offset and limit.`,
  );
}

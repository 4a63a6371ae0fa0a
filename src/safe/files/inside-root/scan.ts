/** Hands the contents of a file of any size to a reader, piece by piece, through the very handle that was checked. */
import { closeSync, constants, fstatSync, read as readCallback, readSync, type Stats } from "node:fs";
import { promisify } from "node:util";
import type { Grip } from "./grips/grip.ts";
import { openVerified } from "./grips/open-verified.ts";
import { cancelled } from "./grips/with-spot.ts";
import { withOpenFile } from "./read.ts";
import { type Refusal, refusalFromErrno } from "./refusal.ts";
import type { Scope } from "./scope.ts";

const readPiece = promisify(readCallback);

/** Gets the pieces in order; a piece is only valid until it returns. `false`: it has seen enough. */
export type TakePiece = (piece: Buffer) => boolean | undefined;

export interface ScanOptions {
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

export interface Scanned {
  readonly ok: true;
  readonly absolute: string;
  readonly size: number;
  readonly mode: number;
  readonly modifiedMs: number;
  /** The reader saw the end of the file. */
  readonly atEnd: boolean;
}

const pieceBytes = 64 * 1024;
/** Up to here one read that blocks is cheaper than a turn of the event loop. */
const directBytes = 64 * 1024;

export function scanInside(
  scope: Scope,
  request: string,
  take: TakePiece,
  options: ScanOptions = {},
): Promise<Scanned | Refusal> {
  return withOpenFile(scope, request, options, (fd, spot) =>
    scanOpen(fd, spot.absolute, request, take, options.signal),
  );
}

/** The same for a name in a directory that is held already. Links are not followed. */
export async function scanChild(
  scope: Scope,
  directory: Grip,
  name: string,
  absolute: string,
  take: TakePiece,
  signal?: AbortSignal,
): Promise<Scanned | Refusal> {
  let target: Grip | undefined;
  try {
    target = scope.grips.takeChild(directory, name);
    const hardLinks = scope.allowHardLink(absolute) ? "allow" : "refuse";
    const file = openVerified(scope, { target, parent: directory }, name, constants.O_RDONLY, hardLinks);
    if (!file.ok) return file;
    try {
      return await scanOpen(file.fd, absolute, name, take, signal);
    } finally {
      closeSync(file.fd);
    }
  } catch (error) {
    return refusalFromErrno(error, name);
  } finally {
    if (target !== undefined) scope.grips.release(target);
  }
}

async function scanOpen(
  fd: number,
  absolute: string,
  request: string,
  take: TakePiece,
  signal: AbortSignal | undefined,
): Promise<Scanned | Refusal> {
  const stats = fstatSync(fd);
  const direct = stats.size <= directBytes;
  const buffer = Buffer.allocUnsafe(direct ? stats.size + 1 : pieceBytes);
  for (let position = 0; ; ) {
    if (signal?.aborted) return cancelled(request);
    const read = direct
      ? readSync(fd, buffer, 0, buffer.length, position)
      : (await readPiece(fd, buffer, 0, buffer.length, position)).bytesRead;
    if (read === 0) return scanned(absolute, stats, true);
    if (take(buffer.subarray(0, read)) === false) return scanned(absolute, stats, false);
    position += read;
  }
}

function scanned(absolute: string, stats: Stats, atEnd: boolean): Scanned {
  const { size, mode, mtimeMs } = stats;
  return { ok: true, absolute, size, mode: mode & 0o7777, modifiedMs: mtimeMs, atEnd };
}

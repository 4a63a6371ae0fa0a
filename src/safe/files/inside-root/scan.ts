/** Hands a file of any size to a reader, piece by piece, through the handle that was checked. */
import { fstatSync } from "node:fs";
import type { Grip } from "./grips/grip.ts";
import { withVerified } from "./grips/open-verified.ts";
import { cancelled } from "./grips/with-spot.ts";
import { maxDirectBytes, readPiece, withOpenFile } from "./read.ts";
import { type Refusal, refusalFromErrno } from "./refusal.ts";
import type { Scope } from "./scope.ts";

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

export function scanInside(
  scope: Scope,
  request: string,
  take: TakePiece,
  { signal, ...options }: ScanOptions = {},
): Promise<Scanned | Refusal> {
  return withOpenFile(scope, request, options, (fd, { absolute }) =>
    scanOpen(fd, { request, absolute, take, signal }),
  );
}

/** What is read, by the words in which it was asked for and by its path, and who gets it. */
export interface Scan {
  readonly request: string;
  readonly absolute: string;
  readonly take: TakePiece;
  readonly signal: AbortSignal | undefined;
}

/** The same for a name in a directory that is held already. Links are not followed. */
export async function scanChild(scope: Scope, directory: Grip, scan: Scan): Promise<Scanned | Refusal> {
  const { request, absolute } = scan;
  let target: Grip | undefined;
  try {
    target = scope.grips.takeChild(directory, request);
    const spot = { target, parent: directory, absolute };
    return await withVerified(scope, spot, request, (fd) => scanOpen(fd, scan));
  } catch (error) {
    return refusalFromErrno(error, request);
  } finally {
    if (target !== undefined) scope.grips.release(target);
  }
}

async function scanOpen(fd: number, { request, absolute, take, signal }: Scan): Promise<Scanned | Refusal> {
  const { size, mode, mtimeMs } = fstatSync(fd);
  const isSmall = size <= maxDirectBytes;
  const buffer = Buffer.allocUnsafe(isSmall ? size + 1 : maxDirectBytes);
  for (let position = 0; ; ) {
    if (signal?.aborted) return cancelled(request);
    const read = await readPiece(fd, buffer, position, isSmall);
    if (read === 0 || take(buffer.subarray(0, read)) === false)
      return { ok: true, absolute, size, mode: mode & 0o7777, modifiedMs: mtimeMs, atEnd: read === 0 };
    position += read;
  }
}

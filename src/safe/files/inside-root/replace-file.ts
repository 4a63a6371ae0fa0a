/** The steps of replacing a file: a new file in the held directory, filled, then put in its place. */
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync as fsyncCallback,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
  write as writeCallback,
} from "node:fs";
import { promisify } from "node:util";
import { type Grip, sameThing, staleHandle } from "./grips/grip.ts";
import type { Spot } from "./grips/walk.ts";
import { errnoOf } from "./refusal.ts";
import type { Scope } from "./scope.ts";

const writePiece = promisify(writeCallback);
export const fsync = promisify(fsyncCallback);

/** What must hold at the last moment for the new file to take the place. */
export interface Expectation {
  readonly expectedHash?: string | null;
  readonly overwrite?: boolean;
}

export function createTemporary(scope: Scope, spot: Spot, name: string, mode: number | undefined): number {
  const parent = spot.parent!;
  const path = `${parent.at}/${name}`;
  const old = spot.target?.stats;
  if (!scope.grips.settled(parent, spot.rootGrip)) throw staleHandle(path);
  const fd = openSync(path, scope.grips.createFlags, old === undefined ? (mode ?? 0o666) & 0o777 : 0o600);
  try {
    const own = fstatSync(fd, { bigint: true });
    // Without handles for directories, this notices that the file was made elsewhere, while it is empty.
    const settled =
      scope.grips.settled(parent, spot.rootGrip) && sameThing(lstatSync(path, { bigint: true }), own);
    if (!settled) throw staleHandle(path);
    if (old !== undefined) {
      if (old.uid !== own.uid || old.gid !== own.gid) keepOwner(fd, Number(old.uid), Number(old.gid));
      fchmodSync(fd, Number(old.mode) & 0o777);
    }
    return fd;
  } catch (error) {
    closeSync(fd);
    removeQuietly(path);
    throw error;
  }
}

function keepOwner(fd: number, uid: number, gid: number): void {
  try {
    fchownSync(fd, uid, gid);
  } catch (error) {
    // Only root may give files away. Then the file is ours, which opens nothing that was closed.
    if (errnoOf(error) !== "EPERM") throw error;
  }
}

/** One step without waiting: no two writers of this process see the expected state. False: it changed. */
export function place(scope: Scope, spot: Spot, temporary: string, options: Expectation): boolean {
  const parent = spot.parent!;
  const from = `${parent.at}/${temporary}`;
  const to = `${parent.at}/${spot.name}`;
  if (!scope.grips.settled(parent, spot.rootGrip)) throw staleHandle(to);
  if (spot.target === undefined) {
    if (options.overwrite === false || options.expectedHash === null) return placeNew(from, to);
  } else if (options.expectedHash !== undefined) {
    const now = lstatSync(to, { bigint: true, throwIfNoEntry: false });
    if (now === undefined || !unchanged(now, spot.target)) return false;
  }
  renameSync(from, to);
  return true;
}

/** `link` fails where `rename` would silently replace a file that another process made meanwhile. */
function placeNew(from: string, to: string): boolean {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!cannotLink(error)) throw error;
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) return false;
    renameSync(from, to);
    return true;
  }
  unlinkSync(from);
  return true;
}

/** Whether the file system has no hard links, or none for this file. */
export function cannotLink(error: unknown): boolean {
  return ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(errnoOf(error) ?? "");
}

function unchanged(now: Grip["stats"], then: Grip): boolean {
  const { stats } = then;
  return (
    sameThing(now, stats) &&
    now.size === stats.size &&
    now.mtimeNs === stats.mtimeNs &&
    now.ctimeNs === stats.ctimeNs
  );
}

const maxWriteBytes = 4 * 1024 * 1024;

export async function writeAll(
  fd: number,
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let done = 0; done < bytes.length && signal?.aborted !== true; ) {
    const length = Math.min(bytes.length - done, maxWriteBytes);
    done += (await writePiece(fd, bytes, done, length, null)).bytesWritten;
  }
}

export async function syncDirectory(scope: Scope, directory: Grip): Promise<void> {
  if (process.platform === "win32") return;
  const fd = scope.grips.reopen(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await fsync(fd);
  } catch (error) {
    // Some file systems cannot sync a directory; the file itself is on the disk already.
    if (!["EINVAL", "ENOTSUP"].includes(errnoOf(error) ?? "")) throw error;
  } finally {
    closeSync(fd);
  }
}

export function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}

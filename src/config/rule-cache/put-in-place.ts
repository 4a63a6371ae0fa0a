/** Puts a file of ours in place as a whole or not at all, for this user only. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";

/** Throws when it could not; then nothing is left. Of two processes at once, the later file stays, whole. */
export function putInPlace(file: string, bytes: Buffer, { durable }: { readonly durable: boolean }): void {
  const temporary = `${file}.${process.pid}.${process.hrtime.bigint()}.tmp`;
  try {
    const fd = openSync(temporary, "wx", 0o600);
    try {
      let written = 0;
      while (written < bytes.length) written += writeSync(fd, bytes, written);
      if (durable) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, file);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
}

/** What cannot be removed (a folder of that name, a file in the way) stays. */
export function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // It stays.
  }
}

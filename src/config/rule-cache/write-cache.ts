/** Writes a cache file as a whole or not at all, for this user only. */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { checkOwnFolder } from "./own-files.ts";

/** Undefined: written. Otherwise why not. Two processes that write at once each put a whole file in place; the later one stays. */
export function writeRuleCache(file: string, bytes: Buffer): string | undefined {
  const folder = dirname(file);
  const temporary = `${file}.${randomBytes(8).toString("hex")}.tmp`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const own = checkOwnFolder(folder);
    if (!own.ok) return own.message;
    const fd = openSync(temporary, "wx", 0o600);
    try {
      let written = 0;
      while (written < bytes.length) written += writeSync(fd, bytes, written);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, file);
  } catch (error) {
    removeQuietly(temporary);
    return `The rule cache ${file} cannot be written: ${(error as Error).message}`;
  }
  removeOld(folder);
  return undefined;
}

const maxFiles = 100;
const longUnusedMs = 30 * 24 * 3_600_000;
const leftOverMs = 3_600_000;

/** Files of projects, versions and environments that are gone; and what a killed process left behind. */
function removeOld(folder: string): void {
  const now = Date.now();
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return;
  }
  const files = names
    .filter((name) => /\.(?:rules|tmp)$/.test(name))
    .flatMap((name) => {
      const file = join(folder, name);
      const changedAt = changeOf(file);
      return changedAt === undefined ? [] : [{ file, name, age: now - changedAt }];
    })
    .sort((one, other) => one.age - other.age);
  for (const [index, { file, name, age }] of files.entries()) {
    const isOld = name.endsWith(".tmp") ? age > leftOverMs : age > longUnusedMs || index >= maxFiles;
    if (isOld) removeQuietly(file);
  }
}

function changeOf(file: string): number | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    return undefined;
  }
}

/** What cannot be tidied up (a folder of that name, a file in the way) changes nothing about what was done. */
function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // It stays.
  }
}

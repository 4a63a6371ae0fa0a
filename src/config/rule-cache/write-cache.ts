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
    rmSync(temporary, { force: true });
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
      const stat = statSync(file, { throwIfNoEntry: false });
      return stat === undefined ? [] : [{ file, name, age: now - stat.mtimeMs }];
    })
    .sort((one, other) => one.age - other.age);
  for (const [index, { file, name, age }] of files.entries()) {
    const isOld = name.endsWith(".tmp") ? age > leftOverMs : age > longUnusedMs || index >= maxFiles;
    if (isOld) rmSync(file, { force: true });
  }
}

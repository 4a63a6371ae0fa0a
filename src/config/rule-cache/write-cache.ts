/** Writes a cache file as a whole or not at all, for this user only. */
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkOwnFolder } from "./own-files.ts";
import { putInPlace, removeQuietly } from "./put-in-place.ts";

/** Undefined: written. Otherwise why not. Of two processes at once, the later file stays, whole. */
export function writeRuleCache(file: string, bytes: Buffer): string | undefined {
  const folder = dirname(file);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const own = checkOwnFolder(folder);
    if (!own.ok) return own.message;
    putInPlace(file, bytes, { durable: true });
  } catch (error) {
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

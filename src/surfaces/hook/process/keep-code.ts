/** Writes what V8 compiled in this process, for the next one, which otherwise compiles again. */
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { putInPlace } from "../../../config/rule-cache/put-in-place.ts";
import { encodeKeptCode } from "./code-cache.ts";
import type { Parts } from "./load-parts.ts";

/** More ways than this are not worth a write each. */
const maxWays = 12;

export function keepCode({ loaded, codeStart, codeFor }: Parts, way: string): void {
  for (const [name, { script, kept }] of loaded) {
    const ways = kept === undefined ? [] : kept.ways.split(" ");
    if (name === "keep" || ways.includes(way) || ways.length >= maxWays) continue;
    const bytes = encodeKeptCode(
      { data: script.createCachedData(), ways: [...ways, way].join(" ") },
      codeFor,
    );
    if (bytes !== undefined) write(codeStart + name, bytes);
  }
}

function write(file: string, bytes: Buffer): void {
  const folder = dirname(file);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    putInPlace(file, bytes, { durable: false });
    removeOld(folder);
  } catch {
    // There is no such folder, or it is not ours.
  }
}

const longUnusedMs = 30 * 24 * 3_600_000;
const maxFiles = 40;

/** Code of builds and Nodes that are gone. */
function removeOld(folder: string): void {
  const files = readdirSync(folder)
    .map((name) => join(folder, name))
    .map((file) => ({ file, age: Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) }))
    .sort((one, other) => one.age - other.age);
  for (const [index, { file, age }] of files.entries())
    if (index >= maxFiles || age > longUnusedMs) rmSync(file, { force: true });
}

/** A root with secrets all around it, for attacks on file operations: what must never be read, and what must never change. */
import { createHash, randomUUID } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { words } from "../words.ts";

export interface PathWorld {
  readonly top: string;
  readonly root: string;
  readonly outside: string;
  /** In the contents of every file that must not be read. */
  readonly canary: string;
  /** A digest of everything beside the root: equal before and after means nothing was touched. */
  outsideState(): string;
  remove(): void;
}

/** In memory where the machine has that: the attacks are about names, and disks are slow. */
export function makePathWorld(): PathWorld {
  const base = existsSync("/dev/shm") ? "/dev/shm" : realpathSync(tmpdir());
  const ground = mkdtempSync(join(base, "path-world-"));
  // Deep enough that a version with a mistake that climbs twelve steps still does its damage in here.
  const top = join(ground, ..."abcdefghijklmn");
  mkdirSync(top, { recursive: true });
  const root = join(top, "root");
  const outside = join(top, "outside");
  const canary = `canary-${randomUUID()}`;
  for (const directory of [
    root,
    join(root, "sub", "deeper"),
    outside,
    join(outside, "dir"),
    join(top, "root-evil"),
    join(top, "rooted"),
  ]) {
    mkdirSync(directory, { recursive: true });
  }
  writeFileSync(join(root, "inside.txt"), "inside");
  writeFileSync(join(root, "sub", "inside.txt"), "inside");
  writeFileSync(join(root, "sub", "deeper", "inside.txt"), "inside");
  for (const secret of words(
    "secret.txt outside/secret.txt outside/dir/secret.txt root-evil/secret.txt rooted/secret.txt",
  )) {
    writeFileSync(join(top, secret), canary);
  }
  return {
    top,
    root,
    outside,
    canary,
    outsideState: () => digest(ground, root),
    remove: () => rmSync(ground, { recursive: true, force: true }),
  };
}

function digest(top: string, except: string): string {
  const hash = createHash("sha256");
  const visit = (path: string) => {
    if (path === except) return;
    const stats = lstatSync(path);
    hash.update(`${path}\0${stats.mode}\0`);
    if (stats.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name));
    else if (stats.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (stats.isFile()) hash.update(readFileSync(path));
  };
  visit(top);
  return hash.digest("hex");
}

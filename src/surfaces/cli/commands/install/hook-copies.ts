/**
 * Copies of the hook in the user's data folder, one folder for each version. Agents start these: a project or a
 * package that is moved or deleted would otherwise block every call of every session.
 */
import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { packageVersion } from "../../../../gate/package-version.ts";

export interface HookCopy {
  /** The copy of the bundle. */
  readonly bundle: string;
  /** Makes it, whole or not at all, or replaces one that is not as it should be. False: it is there. */
  make(): boolean;
}

export function copiesFolder(data: string): string {
  return join(data, "hook");
}

/** The name says what is in it: another build of the same version is another copy. */
export function planCopy(bundle: string, data: string): HookCopy {
  const files = filesOf(dirname(bundle));
  const hash = createHash("sha256");
  for (const { name, bytes } of files) hash.update(`${name} ${bytes.length}\n`).update(bytes);
  const name = `${packageVersion()}-${hash.digest("hex").slice(0, 12)}`;
  const folder = join(copiesFolder(data), name);
  return {
    bundle: join(folder, basename(bundle)),
    make() {
      if (isSame(folder, files)) return false;
      put(folder, files);
      return true;
    },
  };
}

/** Also what an installation left that was killed. */
export function copiesIn(data: string): string[] {
  const all = copiesFolder(data);
  return namesIn(all)
    .filter((name) => /^\d[\w.+-]*-[0-9a-f]{12}$|^\.(?:new|old)-[0-9a-f]{12}$/.test(name))
    .map((name) => join(all, name));
}

export function ageOf(copy: string): number {
  return Date.now() - (statSync(copy, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

export function removeCopy(copy: string): void {
  rmSync(copy, { recursive: true, force: true });
}

interface CopiedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Package managers may make links of files, so they are followed. */
function filesOf(folder: string): CopiedFile[] {
  return namesIn(folder)
    .filter((name) => !name.startsWith(".") && statSync(join(folder, name)).isFile())
    .sort()
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
}

/** Agents start these two by their names alone; the others are only read. Nobody else writes them. */
function modeOf(name: string): number {
  return name === "hook.sh" || name === "hook.cjs" ? 0o755 : 0o644;
}

function put(folder: string, files: readonly CopiedFile[]): void {
  const all = dirname(folder);
  const [temporary, old] = ["new", "old"].map((word) =>
    join(all, `.${word}-${randomBytes(6).toString("hex")}`),
  ) as [string, string];
  mkdirSync(all, { recursive: true, mode: 0o700 });
  try {
    mkdirSync(temporary, { mode: 0o700 });
    for (const { name, bytes } of files) {
      const file = join(temporary, name);
      writeFileSync(file, bytes, { flag: "wx", mode: 0o600, flush: true });
      chmodSync(file, modeOf(name));
    }
    if (statSync(folder, { throwIfNoEntry: false }) !== undefined) renameSync(folder, old);
    renameSync(temporary, folder);
  } finally {
    for (const left of [temporary, old]) rmSync(left, { recursive: true, force: true });
  }
}

function isSame(folder: string, files: readonly CopiedFile[]): boolean {
  try {
    const found = filesOf(folder);
    return (
      found.length === files.length &&
      isOwn(folder, 0o700) &&
      files.every(
        ({ name, bytes }, index) =>
          isOwn(join(folder, name), modeOf(name)) &&
          found[index]?.name === name &&
          found[index].bytes.equals(bytes),
      )
    );
  } catch {
    return false;
  }
}

/** Nobody else can change it: no link to a place that is less closed, and nobody else's. */
function isOwn(path: string, wanted: number): boolean {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return false;
  return process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o777) === wanted);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Says what a sandboxed process sees of the disk: bubblewrap's mount arguments, in an order where later ones cover earlier ones. */

import { existsSync, lstatSync, realpathSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { workspaceTraps } from "./protected-paths.ts";
import { isInside } from "./roots.ts";

export interface MountOptions {
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  readonly readOnly: readonly string[];
  readonly hidden: readonly string[];
  readonly network: boolean;
}

export function mountArguments(options: MountOptions): string[] {
  const cover = planCover(options);
  return [
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"],
    ...privateRun(options.network),
    ...options.readable.flatMap((root) => ["--ro-bind", root, root]),
    ...outermostFirst(options.writable).flatMap((root) => ["--bind", root, root]),
    // Each kind once and before the next: a second mount of a parent would uncover what was mounted below it.
    ...outermostFirst(cover.pinned).flatMap((path) => ["--bind", path, path]),
    ...outermostFirst(cover.locked).flatMap((path) => ["--ro-bind", path, path]),
    ...outermostFirst(cover.emptyFiles).flatMap((path) => ["--ro-bind", "/dev/null", path]),
    ...outermostFirst(cover.emptyFolders).flatMap((path) => ["--tmpfs", path, "--remount-ro", path]),
  ];
}

interface Cover {
  /** Mounted onto themselves, still writable: a mount point cannot be renamed or removed. */
  readonly pinned: Set<string>;
  readonly locked: Set<string>;
  readonly emptyFiles: Set<string>;
  readonly emptyFolders: Set<string>;
}

function planCover(options: MountOptions): Cover {
  const cover: Cover = {
    pinned: new Set(),
    locked: new Set(),
    emptyFiles: new Set(),
    emptyFolders: new Set(),
  };
  for (const root of options.writable) {
    const inside = options.readOnly.map((path) => resolve(path)).filter((path) => isInside(path, root));
    for (const trap of [
      ...workspaceTraps(root),
      ...inside.map((path) => ({ path, whenMissing: undefined })),
    ]) {
      const end = pin(root, trap.path, cover);
      if (end === "there") cover.locked.add(trap.path);
      else if (end === "missing" && trap.whenMissing === "folder") cover.emptyFolders.add(trap.path);
      else if (end === "missing" && trap.whenMissing === "file") cover.emptyFiles.add(trap.path);
    }
  }
  for (const path of options.hidden) {
    for (const root of options.writable) if (isInside(path, root)) pin(root, path, cover);
    const real = realPath(path);
    if (real !== undefined) (lstatSync(real).isDirectory() ? cover.emptyFolders : cover.emptyFiles).add(real);
  }
  for (const set of [cover.emptyFiles, cover.emptyFolders]) {
    for (const path of set) if (isCovered(path, cover)) set.delete(path);
  }
  return cover;
}

/** Inside an emptied folder there is nothing to hide, inside a read-only one nothing can appear; and no mount point could be made. */
function isCovered(path: string, cover: Cover): boolean {
  const above = (folder: string): boolean => folder !== path && isInside(path, folder);
  return [...cover.emptyFolders].some(above) || (!existsSync(path) && [...cover.locked].some(above));
}

/**
 * Pins every folder between root and path, so that moving one of them aside and building another in its place fails.
 * A symbolic link on the way cannot be pinned; then the folder that holds it becomes read-only as a whole.
 */
function pin(root: string, path: string, cover: Cover): "there" | "missing" | "blocked" {
  const steps = relative(root, path).split("/");
  let folder = root;
  for (const [at, step] of steps.entries()) {
    const isLast = at === steps.length - 1;
    const next = join(folder, step);
    const stat = lstatSync(next, { throwIfNoEntry: false });
    if (stat === undefined) return isLast ? "missing" : "blocked";
    if (stat.isSymbolicLink()) {
      cover.locked.add(folder);
      const real = realPath(next);
      if (real !== undefined && real !== root && isInside(real, root)) cover.locked.add(real);
      return "blocked";
    }
    if (!isLast && stat.isDirectory()) cover.pinned.add(next);
    folder = next;
  }
  return "there";
}

/** A socket there (container engine, message bus, key agent) works in spite of a read-only mount and a cut network. */
function privateRun(network: boolean): string[] {
  if (!existsSync("/run")) return [];
  const kept = ["/run/current-system", ...(network ? ["/run/systemd/resolve", "/run/resolvconf"] : [])];
  return ["--tmpfs", "/run", ...kept.flatMap((path) => ["--ro-bind-try", path, path])];
}

function outermostFirst(paths: Iterable<string>): string[] {
  return [...paths].sort((a, b) => a.split("/").length - b.split("/").length);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

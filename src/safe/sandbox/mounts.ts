/** What a sandboxed process sees of the disk: bubblewrap's mounts, where later ones cover earlier ones. */

import { existsSync, lstatSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { isInside } from "../../core/input/inside-folder.ts";
import { lockedPartsOf } from "./git-folder.ts";
import { isBelowAny, realPath } from "./roots.ts";
import type { Survey } from "./survey.ts";

export interface MountOptions {
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  readonly readOnly: readonly string[];
  readonly hidden: readonly string[];
  /** Of the writable folders. */
  readonly survey: Survey;
  /** The process lives long: then repositories are read-only as a whole, because git reads them often. */
  readonly stays: boolean;
  readonly network: boolean;
}

/** Bubblewrap reads the list of all mounts again for each of them: so many take about a second. */
const maxMounts = 300;

export interface Mounts {
  readonly args: readonly string[];
  /** False: more would have to be covered than bubblewrap can take. */
  readonly complete: boolean;
}

export function mountArguments(options: MountOptions): Mounts {
  const whole = planCover(options);
  const cover = atMost(whole, maxMounts);
  return { args: argumentsOf(options, cover), complete: cover === whole };
}

function atMost(cover: Cover, limit: number): Cover {
  let left = limit;
  const take = (paths: Set<string>): Set<string> => {
    const taken = outermostFirst(paths).slice(0, left);
    left -= taken.length;
    return new Set(taken);
  };
  const { locked, emptyFolders, emptyFiles, pinned } = cover;
  if (locked.size + emptyFolders.size + emptyFiles.size + pinned.size <= limit) return cover;
  return {
    locked: take(locked),
    emptyFolders: take(emptyFolders),
    emptyFiles: take(emptyFiles),
    pinned: take(pinned),
  };
}

function argumentsOf(options: MountOptions, cover: Cover): string[] {
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
  const { writable, readable, survey } = options;
  for (const root of writable) {
    for (const path of options.readOnly.map((one) => resolve(one)).filter((one) => isInside(one, root)))
      if (pin(root, path, cover)) cover.locked.add(path);
    lockTraps(root, options, cover);
  }
  for (const path of options.hidden) {
    // Our own state could be moved away and another one put in its place.
    for (const root of writable) if (isInside(path, root)) pin(root, path, cover);
    hide(path, cover);
  }
  for (const path of [...survey.secrets, ...survey.closed]) {
    const real = realPath(path) ?? path;
    const isOurs = [...writable, ...readable].some((root) => real !== root && isInside(real, root));
    // A link can lead anywhere: a file is hidden there as well, but not a whole folder of the system.
    if (isOurs || lstatSync(real, { throwIfNoEntry: false })?.isFile() === true) hide(real, cover);
  }
  return withoutCovered(cover);
}

/** Files that programs outside run by themselves are locked. Links cannot be: they are checked later. */
function lockTraps(root: string, { survey, stays }: MountOptions, cover: Cover): void {
  const repositories = [...survey.repositories].filter((path) => isInside(path, root));
  const whole = stays ? repositories.filter((path) => path !== root) : [];
  const parts = repositories.filter((path) => !whole.includes(path)).flatMap(lockedPartsOf);
  const traps = [...survey.traps].flatMap(([path, { kind }]) => (kind === "link" ? [] : [path]));
  const targets = [...survey.links.values()].flatMap((path) => path ?? []);
  for (const path of [...whole, ...traps, ...parts, ...targets]) {
    if (path === root || !isInside(path, root)) continue;
    if (pin(root, path, cover)) cover.locked.add(path);
  }
  for (const path of survey.traps.keys()) if (isInside(path, root)) pinFolders(root, dirname(path), cover);
}

function hide(path: string, cover: Cover): void {
  const real = realPath(path);
  if (real !== undefined) (lstatSync(real).isDirectory() ? cover.emptyFolders : cover.emptyFiles).add(real);
}

/** Inside an emptied folder there is nothing to hide, and inside a locked one nothing to lock. */
function withoutCovered({ pinned, locked, emptyFiles, emptyFolders }: Cover): Cover {
  const outside = (paths: Set<string>, ...folders: Set<string>[]): Set<string> =>
    new Set([...paths].filter((path) => !folders.some((one) => isBelowAny(path, one))));
  return {
    pinned: new Set([...outside(pinned, locked, emptyFolders)].filter((path) => !locked.has(path))),
    locked: outside(locked, locked, emptyFolders),
    emptyFiles: outside(emptyFiles, emptyFolders),
    emptyFolders: outside(emptyFolders, emptyFolders),
  };
}

/** Whether something is there that can be locked. */
function pin(root: string, path: string, cover: Cover): boolean {
  const folder = dirname(path);
  if (path === root || !pinFolders(root, folder, cover)) return false;
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink() !== true) return stat !== undefined;
  lockLink(root, path, cover);
  return false;
}

/** Every folder from the root on, so that none can be moved aside and rebuilt. False: not all. */
function pinFolders(root: string, folder: string, cover: Cover): boolean {
  let at = root;
  for (const step of relative(root, folder).split("/").filter(Boolean)) {
    at = join(at, step);
    const stat = lstatSync(at, { throwIfNoEntry: false });
    if (stat?.isSymbolicLink() === true) lockLink(root, at, cover);
    if (stat?.isDirectory() !== true) return false;
    cover.pinned.add(at);
  }
  return true;
}

/** A symbolic link cannot be pinned; the folder that holds it becomes read-only as a whole. */
function lockLink(root: string, link: string, cover: Cover): void {
  cover.locked.add(dirname(link));
  const real = realPath(link);
  if (real !== undefined && real !== root && isInside(real, root)) cover.locked.add(real);
}

/** A socket there (container engine, message bus, key agent) works in spite of mounts and a cut network. */
function privateRun(network: boolean): string[] {
  if (!existsSync("/run")) return [];
  const kept = ["/run/current-system", ...(network ? ["/run/systemd/resolve", "/run/resolvconf"] : [])];
  return ["--tmpfs", "/run", ...kept.flatMap((path) => ["--ro-bind-try", path, path])];
}

function outermostFirst(paths: Iterable<string>): string[] {
  return [...paths].sort((a, b) => a.split("/").length - b.split("/").length);
}

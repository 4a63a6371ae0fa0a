/** Goes through what is below a held directory, without following links, within a count and a depth. */
import { type Dir, type Dirent, lstatSync, type Stats } from "node:fs";
import { opendir } from "node:fs/promises";
import { type Grip, staleHandle } from "./grips/grip.ts";
import { errnoOf } from "./refusal.ts";
import type { Scope } from "./scope.ts";

export type EntryKind = "file" | "directory" | "link" | "other";

export interface TreeEntry {
  /** Names from the directory where the walk began. */
  readonly names: readonly string[];
  readonly kind: EntryKind;
  /** The directory that holds the entry; valid until the next entry is asked for. */
  readonly directory: Grip;
}

export interface TreeOptions {
  /** 1: only the directory itself. */
  readonly depth: number;
  /** Asked for every directory that could be entered. */
  readonly enter?: (entry: TreeEntry) => boolean;
  /** Throw at a directory that cannot be looked into, instead of leaving it out. */
  readonly strict?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Directories come before what is in them. The caller stops when it has enough. */
export async function* treeBelow(
  scope: Scope,
  root: Grip,
  top: Grip,
  options: TreeOptions,
): AsyncGenerator<TreeEntry> {
  yield* below({ scope, root, options }, top, []);
}

interface Going {
  readonly scope: Scope;
  readonly root: Grip;
  readonly options: TreeOptions;
}

async function* below(going: Going, directory: Grip, names: readonly string[]): AsyncGenerator<TreeEntry> {
  const { scope, root, options } = going;
  const inside: string[] = [];
  const entries = await openDirectory(directory, names.length > 0 && options.strict !== true);
  if (entries === undefined) return;
  // By path, the directory may have been swapped between the check and the open.
  if (!scope.grips.raceFree && !scope.grips.settled(directory, root)) {
    await entries.close();
    throw staleHandle(directory.at);
  }
  for await (const dirent of entries) {
    if (options.signal?.aborted) return;
    const kind = kindOf(dirent, directory);
    if (kind === undefined) continue;
    const entry = { names: [...names, dirent.name], kind, directory };
    yield entry;
    if (kind === "directory" && names.length + 1 < options.depth && (options.enter?.(entry) ?? true))
      inside.push(dirent.name);
  }
  for (const name of inside) {
    if (options.signal?.aborted) return;
    const child = takeDirectory(scope, directory, name, options.strict);
    if (child === undefined) continue;
    try {
      yield* below(going, child, [...names, name]);
    } finally {
      scope.grips.release(child);
    }
  }
}

/** The names in a directory with their kinds; undefined: it cannot be looked into and is left out. */
export async function readNames(
  scope: Scope,
  root: Grip,
  directory: Grip,
  { most, lenient }: { readonly most: number; readonly lenient: boolean },
): Promise<{ readonly kinds: Map<string, EntryKind>; readonly truncated: boolean } | undefined> {
  const entries = await openDirectory(directory, lenient);
  if (entries === undefined) return undefined;
  const kinds = new Map<string, EntryKind>();
  try {
    if (!scope.grips.raceFree && !scope.grips.settled(directory, root)) {
      if (lenient) return undefined;
      throw staleHandle(directory.at);
    }
    for (let dirent = await entries.read(); dirent !== null; dirent = await entries.read()) {
      if (kinds.size === most) return { kinds, truncated: true };
      const kind = kindOf(dirent, directory);
      if (kind !== undefined) kinds.set(dirent.name, kind);
    }
    return { kinds, truncated: false };
  } finally {
    await entries.close();
  }
}

async function openDirectory(directory: Grip, lenient: boolean): Promise<Dir | undefined> {
  try {
    return await opendir(directory.at, { bufferSize: 256 });
  } catch (error) {
    if (!lenient || errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

/** Undefined when it is gone, closed to us, of the kernel, or no directory any more. */
export function takeDirectory(scope: Scope, parent: Grip, name: string, strict = false): Grip | undefined {
  let child: Grip;
  try {
    child = scope.grips.takeChild(parent, name);
  } catch (error) {
    if (errnoOf(error) === undefined || (strict && errnoOf(error) !== "ENOENT")) throw error;
    return undefined;
  }
  if (child.stats.isDirectory()) return child;
  scope.grips.release(child);
  return undefined;
}

function kindOf(dirent: Dirent, directory: Grip): EntryKind | undefined {
  const isOther =
    dirent.isFIFO() || dirent.isSocket() || dirent.isBlockDevice() || dirent.isCharacterDevice();
  const kind = isOther ? "other" : plainKindOf(dirent);
  if (kind !== undefined) return kind;
  // Some file systems do not tell the kind while listing.
  const stats = lstatSync(`${directory.at}/${dirent.name}`, { throwIfNoEntry: false });
  return stats === undefined ? undefined : (plainKindOf(stats) ?? "other");
}

function plainKindOf(facts: Dirent | Stats): EntryKind | undefined {
  if (facts.isFile()) return "file";
  if (facts.isDirectory()) return "directory";
  return facts.isSymbolicLink() ? "link" : undefined;
}

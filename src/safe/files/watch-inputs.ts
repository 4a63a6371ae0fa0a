/** Tells when one of many files changes or appears. Folders are watched: editors save by renaming. */
import { type FSWatcher, realpathSync, statSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { quietly } from "../../core/run/quietly.ts";

/** One save makes several events. */
const settleMs = 80;

/** Where something changes all the time, it is told nevertheless. */
const longestWaitMs = 2_000;

export interface InputWatch extends Disposable {
  /** From now on these; what has changed already is not forgotten. */
  follow(inputs: readonly string[]): void;
  /** Resolves once something changed since it last resolved, or when the signal is aborted. */
  nextChange(signal: AbortSignal): Promise<void>;
}

const firstAnswersMs = 300;

/** To be awaited before watching in a new process: starting to watch takes longer than first answers. */
export async function afterFirstAnswers(signal: AbortSignal): Promise<void> {
  await sleep(firstAnswersMs, undefined, { signal, ref: false }).catch(() => {});
}

export interface WatchOptions {
  /** When the inputs were read, by the clock of the system; what has changed after that is told at once. */
  readonly since?: number | undefined;
  /** Folders written to by every call: watching them would wake the process. They are polled now and then. */
  readonly busyFolders?: readonly string[] | undefined;
}

const lookEveryMs = 1_000;

export function createInputWatch(
  inputs: readonly string[],
  tell: (message: string) => void,
  { since, busyFolders = [] }: WatchOptions = {},
): InputWatch {
  const busy = busyFolders.flatMap(withTarget);
  let watched = new Map<string, Watched>();
  let names = new Map<string, Set<string>>();
  let changed = false;
  let wake = () => {};
  let timer: NodeJS.Timeout | undefined;
  let firstAt: number | undefined;
  /** When each of those in busy folders changed last. */
  let looked = new Map<string, number>();
  let looking: NodeJS.Timeout | undefined;

  const onChange = () => {
    const now = performance.now();
    firstAt ??= now;
    clearTimeout(timer);
    const waitMs = Math.max(0, Math.min(settleMs, firstAt + longestWaitMs - now));
    timer = setTimeout(() => {
      firstAt = undefined;
      changed = true;
      wake();
    }, waitMs);
  };
  const open = (folder: string, inode: number): Watched | undefined => {
    try {
      const watcher = watch(folder, (_event, name) => {
        const concerned = names.get(folder);
        // The folder's own name: it is being moved or removed.
        if (name === null || concerned?.has(anyName) || concerned?.has(name) || name === basename(folder))
          onChange();
      });
      watcher.on("error", onChange);
      return { watcher, inode };
    } catch (error) {
      tell(`${folder} cannot be watched: ${(error as Error).message}`);
      return undefined;
    }
  };
  const lookAt = (paths: readonly string[]) => {
    // What has changed since the last look is still to be told.
    looked = new Map(paths.map((path) => [path, looked.get(path) ?? changedAt(path)]));
    clearInterval(looking);
    if (paths.length > 0) looking = setInterval(look, lookEveryMs).unref();
  };
  const look = () => {
    for (const [path, at] of looked) {
      const now = changedAt(path);
      if (now === at) continue;
      looked.set(path, now);
      onChange();
    }
  };
  const follow = (next: readonly string[]) => {
    names = namesByFolder(next);
    lookAt(busy.flatMap((folder) => [...(names.get(folder) ?? [])].map((name) => join(folder, name))));
    for (const folder of busy) names.delete(folder);
    const kept = new Map<string, Watched>();
    for (const folder of names.keys()) {
      const inode = inodeOf(folder);
      if (inode === undefined) continue;
      const old = watched.get(folder);
      // The same path can be another folder by now, and the old watcher would never hear of it.
      const one = old?.inode === inode ? old : open(folder, inode);
      if (one !== undefined) kept.set(folder, one);
    }
    for (const [folder, old] of watched) if (kept.get(folder) !== old) old.watcher.close();
    watched = kept;
  };
  follow(inputs);
  if (since !== undefined && inputs.some((input) => changedAt(input) > since)) onChange();
  return {
    follow,
    nextChange: async (signal) => {
      if (!changed && !signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        signal.addEventListener("abort", () => resolve(), { once: true });
        await promise;
      }
      changed = false;
    },
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      clearInterval(looking);
      for (const { watcher } of watched.values()) watcher.close();
    },
  };
}

interface Watched {
  readonly watcher: FSWatcher;
  readonly inode: number;
}

/** Stands for every name: no file can be called so. */
const anyName = "/";

/** For each folder that exists the names that matter: the inputs, or what must appear before them. */
function namesByFolder(inputs: readonly string[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const add = (folder: string, name: string) => found.set(folder, (found.get(folder) ?? new Set()).add(name));
  for (const input of inputs.flatMap(withTarget)) {
    if (isFolder(input)) add(input, anyName);
    let path = input;
    while (!isFolder(dirname(path)) && path !== dirname(path)) path = dirname(path);
    add(dirname(path), basename(path));
  }
  return found;
}

/** A link is saved where it leads to. */
function withTarget(input: string): string[] {
  return [...new Set([input, quietly(() => realpathSync(input)) ?? input])];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

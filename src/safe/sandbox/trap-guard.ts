/**
 * Watches over the folders of a running sandbox: what appears where programs outside would run it is taken
 * away at once, and for certain at the end.
 */

import { type FSWatcher, watch } from "node:fs";
import { basename } from "node:path";
import { isRunningPart } from "./git-folder.ts";
import { type Planted, takeAway } from "./planted.ts";
import { type Survey, surveyRoots } from "./survey.ts";
import { trapReason } from "./trap-names.ts";

export interface GuardOptions {
  readonly home: string;
  /** Looked through from time to time, too. */
  readonly stays: boolean;
}

/** Between two looks: a process that plants without end must not keep us busy. */
const restMs = 100;
const everyMs = 30_000;
/** Another process in a sandbox may move folders about while we take something away. */
const maxTries = 5;

/** The answer is to be called when nothing of the process is left. */
export function guardRoots(
  roots: readonly string[],
  before: Survey,
  { home, stays }: GuardOptions,
): () => Promise<readonly Planted[]> {
  const planted: Planted[] = [];
  let looking: Promise<void> | undefined;
  let waiting: NodeJS.Timeout | undefined;
  const look = async (): Promise<readonly Planted[]> => {
    const found = await takeAway(before, await surveyRoots({ roots, home }), roots);
    planted.push(...found.filter(({ path, movedTo }) => movedTo !== undefined || isNew(path)));
    return found;
  };
  const isNew = (path: string): boolean => planted.every((one) => one.path !== path);
  const lookSoon = (): void => {
    waiting ??= setTimeout(() => {
      // A look that fails now is made again at the end.
      looking = look().then(
        () => {},
        () => {},
      );
      void looking.then(() => {
        waiting = undefined;
      });
    }, restMs);
    waiting.unref();
  };
  const watchers = watchAll([...roots, ...before.repositories], lookSoon);
  const timer = stays ? setInterval(lookSoon, everyMs).unref() : undefined;
  return async () => {
    for (const watcher of watchers) watcher.close();
    clearInterval(timer);
    clearTimeout(waiting);
    await looking;
    for (let tries = 0; tries < maxTries; tries++) {
      const found = await look().catch(() => undefined);
      if (found?.every(({ changedOutside }) => changedOutside === true) === true) return planted;
    }
    // The last look still found something, or failed: nobody knows what is there.
    const [path = "/"] = roots;
    return [...planted, { path, reason: "it could not be looked through to its end" }];
  };
}

/**
 * Only where programs look by themselves; the rest is found at the end. Where watching fails, all of it is.
 */
function watchAll(folders: readonly string[], onTrap: () => void): FSWatcher[] {
  return folders.flatMap((folder) => {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name !== null && isWorthALook(folder, name)) onTrap();
      });
      watcher.on("error", () => watcher.close());
      return [watcher];
    } catch {
      return [];
    }
  });
}

function isWorthALook(folder: string, name: string): boolean {
  if (name.toLowerCase() === ".git" || name === "HEAD" || isRunningPart(name)) return true;
  return trapReason([basename(folder)], name) !== undefined;
}

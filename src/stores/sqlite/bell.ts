/** Wakes other processes after a commit by writing to a file. Says that something changed, never what. */
import { closeSync, constants, type FSWatcher, openSync, watch, writeSync } from "node:fs";
import { join } from "node:path";
import { makeOwnFolder } from "../ledger/spool/own-folder.ts";

const bellName = /^[a-z][a-z-]*$/;

export function bellFolder(stateFolder: string): string {
  return join(stateFolder, "bell");
}

/** Often enough for whoever listens; each time wakes every process that does. */
const ringEveryMs = 20;

/** The side that rings. A bell that cannot be rung is no failure: listeners also look by themselves. */
export class BellRope {
  readonly #folder: string;
  readonly #files = new Map<string, number>();
  readonly #rungAt = new Map<string, number>();
  readonly #soon = new Map<string, NodeJS.Timeout>();

  constructor(stateFolder: string) {
    this.#folder = bellFolder(stateFolder);
  }

  /** At once, or shortly after the last time. */
  ring(name: string): void {
    if (this.#soon.has(name)) return;
    const now = performance.now();
    const waitMs = (this.#rungAt.get(name) ?? Number.NEGATIVE_INFINITY) + ringEveryMs - now;
    if (waitMs <= 0) this.#ring(name, now);
    else
      this.#soon.set(
        name,
        setTimeout(() => this.#ring(name, performance.now()), waitMs),
      );
  }

  #ring(name: string, now: number): void {
    this.#soon.delete(name);
    this.#rungAt.set(name, now);
    try {
      writeSync(this.#open(name), "\n", 0);
    } catch {
      this.#files.delete(name);
    }
  }

  close(): void {
    for (const [name, timer] of [...this.#soon]) {
      clearTimeout(timer);
      this.#ring(name, performance.now());
    }
    for (const fd of this.#files.values()) closeSync(fd);
    this.#files.clear();
  }

  #open(name: string): number {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    if (!bellName.test(name)) throw new TypeError(`A bell has a plain name, not ${JSON.stringify(name)}.`);
    makeOwnFolder(this.#folder);
    const flags = constants.O_WRONLY | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
    const fd = openSync(join(this.#folder, name), flags, 0o600);
    this.#files.set(name, fd);
    return fd;
  }
}

/** The side that listens. Keeps no process alive. */
export class BellListeners {
  readonly #folder: string;
  readonly #listeners = new Map<string, Set<() => void>>();
  #watcher: FSWatcher | undefined;

  constructor(stateFolder: string) {
    this.#folder = bellFolder(stateFolder);
  }

  /** Returns how to stop. May be called more often than something changed. */
  listen(name: string, listener: () => void): () => void {
    this.#start();
    const ofName = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, ofName.add(listener));
    return () => {
      ofName.delete(listener);
      if (ofName.size === 0 && this.#listeners.get(name) === ofName) this.#listeners.delete(name);
      if (this.#listeners.size === 0) this.close();
    };
  }

  close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #start(): void {
    if (this.#watcher !== undefined) return;
    makeOwnFolder(this.#folder);
    this.#watcher = watch(this.#folder, { persistent: false }, (_, file) => {
      // Some systems do not say which file: then it may be any.
      for (const [name, ofName] of this.#listeners)
        if (file === null || file === name) for (const listener of [...ofName]) listener();
    });
    // Without notification the listeners' own slow look remains.
    this.#watcher.on("error", () => this.close());
  }
}

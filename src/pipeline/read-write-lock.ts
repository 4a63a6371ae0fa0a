/** Readers run side by side, a writer runs alone, and who came first goes first, so that no writer starves. */
import { AsyncLocalStorage } from "node:async_hooks";
import { type Cancellable, onAbort } from "../core/abort.ts";
import type { LockKind } from "../core/tool.ts";

interface Waiter {
  readonly kind: "read" | "write";
  readonly start: () => void;
}

export class ReadWriteLock {
  #readers = 0;
  #writing = false;
  readonly #queue: Waiter[] = [];

  /** Inside a writer's run: what it calls itself shares its lock, or it would wait for itself. */
  readonly #insideWriter = new AsyncLocalStorage<{ active: boolean }>();
  /** Ends with the writer: code that it left behind (a timer) must queue like everybody else. */
  #writer = { active: false };

  /** What to `release` later, at once when nobody is in the way; else a promise, undefined if the caller gave up. */
  acquire(kind: LockKind, signal: Cancellable | undefined): LockKind | Promise<LockKind | undefined> {
    if (kind === "none") return "none";
    if (this.#queue.length === 0 && this.#isFree(kind)) return this.#enter(kind);
    return this.#insideWriter.getStore()?.active === true ? "none" : this.#wait(kind, signal);
  }

  #wait(kind: "read" | "write", signal: Cancellable | undefined): Promise<LockKind | undefined> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        kind,
        start: () => {
          stopListening();
          resolve(this.#enter(kind));
        },
      };
      this.#queue.push(waiter);
      const stopListening = onAbort(signal, () => {
        const index = this.#queue.indexOf(waiter);
        if (index === -1) return;
        this.#queue.splice(index, 1);
        resolve(undefined);
        this.#next();
      });
    });
  }

  /** Runs code that holds the lock as a writer. */
  runInside<Value>(code: () => Value): Value {
    this.#writer = { active: true };
    return this.#insideWriter.run(this.#writer, code);
  }

  release(kind: LockKind): void {
    if (kind === "none") return;
    if (kind === "read") this.#readers--;
    else {
      this.#writing = false;
      this.#writer.active = false;
    }
    if (this.#queue.length > 0) this.#next();
  }

  #isFree(kind: "read" | "write"): boolean {
    return !this.#writing && (kind === "read" || this.#readers === 0);
  }

  #enter(kind: "read" | "write"): LockKind {
    if (kind === "read") this.#readers++;
    else this.#writing = true;
    return kind;
  }

  #next(): void {
    for (
      let first = this.#queue[0];
      first !== undefined && this.#isFree(first.kind);
      first = this.#queue[0]
    ) {
      this.#queue.shift();
      first.start();
    }
  }
}

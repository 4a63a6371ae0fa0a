/** Carries the output of a process to its readers at their pace, and finds its end. */

import type { ChildProcess } from "node:child_process";
import { findLeftovers, killTree, type ProcessIdentity } from "./kill-tree.ts";
import type { OutputStream } from "./output-capture.ts";

/** A reader that never finishes must not keep the call open. */
const MAX_CONSUMER_MS = 10_000;

export interface OutputFlow {
  readonly closed: Promise<void>;
  /** Rises with every chunk; stands still when nobody writes any more. */
  progress(): number;
  /** The consumer has not taken the last chunk yet. */
  held(): boolean;
  /** When it has. */
  taken(): Promise<void>;
  cutOff(): void;
}

export function watchOutput(
  child: ChildProcess,
  take: (chunk: Buffer, stream: OutputStream) => void | Promise<void>,
): OutputFlow {
  let chunks = 0;
  const pending = new Set<Promise<void>>();
  for (const name of ["stdout", "stderr"] as const) {
    const pipe = child[name];
    pipe?.on("error", () => {});
    pipe?.on("data", (chunk: Buffer) => {
      chunks++;
      const taken = take(chunk, name);
      if (taken === undefined) return;
      pipe.pause();
      const settled = taken
        .catch(() => {})
        .then(() => {
          pending.delete(settled);
          pipe.resume();
        });
      pending.add(settled);
    });
  }
  return {
    closed: new Promise((resolve) => child.once("close", () => resolve())),
    progress: () => chunks,
    held: () => pending.size > 0,
    taken: async () => void (await Promise.all(pending)),
    cutOff: () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
  };
}

/** The main process is gone: lets its last output arrive, then ends what it left running. */
export async function endRest(
  identity: ProcessIdentity,
  flow: OutputFlow,
  graceMs: number,
  killing: Promise<unknown> | undefined,
): Promise<number> {
  await killing;
  // A filter at the end of a pipeline gets a moment to write its last lines.
  await within(flow.closed, killing === undefined ? 100 : 0);
  const leftovers = findLeftovers(identity).length;
  if (leftovers > 0) await killTree(identity, { graceMs });
  // Should someone we cannot find still hold the pipe, silence ends the wait.
  for (let tries = 0; tries < 50; tries++) {
    const before = flow.progress();
    if (await within(flow.closed, 200)) break;
    if (flow.progress() === before && !flow.held()) break;
  }
  flow.cutOff();
  await within(flow.taken(), MAX_CONSUMER_MS);
  return leftovers;
}

async function within(done: Promise<void>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  const inTime = await Promise.race([done.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}

/** Waits until no process of a sandbox is left: bubblewrap itself ends before the kernel has ended the others. */
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { readProcess } from "../process/process-table.ts";

/** The descriptor on which bubblewrap says which process is the first of the sandbox. */
export const infoFd = 3;

const tryAgainMs = 5;
/** The kernel kills them all at once. Only a machine without a free processor takes longer. */
const longestMs = 10_000;

/** To be called at the start; the answer when bubblewrap has ended. */
export function watchNamespace(info: Readable): () => Promise<void> {
  const first = readFirst(info);
  return async () => {
    const pid = await first;
    const until = performance.now() + longestMs;
    // The first process is a zombie, or gone, only when all others of its namespace have ended.
    while (pid !== undefined && readProcess(pid) !== undefined && performance.now() < until)
      await sleep(tryAgainMs);
  };
}

/** Undefined: it did not get so far as to start one. */
function readFirst(info: Readable): Promise<number | undefined> {
  let text = "";
  info.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  return new Promise((resolve) => {
    info
      .on("error", () => resolve(undefined))
      .on("close", () => {
        const [, pid] = /"child-pid": *(\d+)/.exec(text) ?? [];
        resolve(pid === undefined ? undefined : Number(pid));
      });
  });
}

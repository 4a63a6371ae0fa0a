/** Watches one running process: collects its output, stops it in time, and tells how it ended. */

import type { ChildProcess } from "node:child_process";
import type { Planted } from "../sandbox/planted.ts";
import { killTree, type ProcessIdentity } from "./kill-tree.ts";
import { createOutputCapture, type OutputStream } from "./output-capture.ts";
import { endRest, watchOutput } from "./output-flow.ts";
import { createOutputLog } from "./output-log.ts";
import type { EndedProcess, Manner, RunningProcess, StartOptions } from "./process-types.ts";

type OnOutput = NonNullable<StartOptions["onOutput"]>;
type StopReason = "timeout" | "abort" | "flood";

export function supervise(
  child: ChildProcess,
  identity: ProcessIdentity,
  task: {
    readonly options: StartOptions;
    readonly manner: Manner;
    readonly startedAt: number;
    /** Called when nothing of the process is left. */
    readonly release: () => Promise<readonly Planted[]>;
  },
): RunningProcess {
  const { options, manner, startedAt } = task;
  const graceMs = options.killGraceMs ?? 2000;
  const capture = createOutputCapture({
    maxOutputBytes: options.maxOutputBytes ?? 1024 * 1024,
    hardMaxBytes: options.hardMaxBytes ?? 10 * 1024 * 1024,
    ...(options.spillDirectory === undefined ? {} : { spillDirectory: options.spillDirectory }),
  });
  const log = manner.log ? createOutputLog(options.maxOutputBytes ?? 1024 * 1024) : undefined;
  let stoppedBy: StopReason | undefined;
  let killing: Promise<unknown> | undefined;
  const stop = (reason: StopReason): void => {
    stoppedBy ??= reason;
    killing ??= killTree(identity, { graceMs });
  };
  const flow = watchOutput(child, (chunk, stream) => {
    log?.add(chunk, stream);
    if (!capture.take(chunk, stream) && manner.endOnFlood) stop("flood");
    return options.onOutput === undefined ? undefined : feed(options.onOutput, chunk, stream);
  });
  /** A reader that fails must not bring us down, and a process nobody reads has no use. */
  async function feed(read: OnOutput, chunk: Buffer, stream: OutputStream): Promise<void> {
    try {
      await read(chunk, stream);
    } catch {
      stop("abort");
    }
  }
  child.on("error", () => {});
  // A process may close its stdin at any time; that is its right and no error of ours.
  child.stdin?.on("error", () => {});

  const timer =
    options.timeoutMs === undefined ? undefined : setTimeout(() => stop("timeout"), options.timeoutMs);
  const onAbort = (): void => stop("abort");
  options.signal?.addEventListener("abort", onAbort, { once: true });

  const ended = new Promise<EndedProcess>((resolve) => {
    child.once("exit", async (exitCode, signal) => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", onAbort);
      const leftovers = await endRest(identity, flow, graceMs, killing);
      const planted = await task.release();
      capture.close();
      resolve({
        started: true,
        exitCode,
        signal,
        stdout: capture.text("stdout"),
        stderr: capture.text("stderr"),
        truncated: capture.truncated,
        ...(capture.spillPath === undefined ? {} : { spillPath: capture.spillPath }),
        timedOut: stoppedBy === "timeout",
        aborted: stoppedBy === "abort",
        flooded: stoppedBy === "flood",
        leftovers,
        planted,
        durationMs: performance.now() - startedAt,
      });
    });
  });

  return {
    started: true,
    pid: identity.pid,
    write: (data) => writeTo(child, data),
    endInput: () => void child.stdin?.end(),
    read: (cursor = 0) => log?.since(cursor) ?? { text: "", cursor: 0, missed: 0 },
    kill: () => {
      stop("abort");
      return ended;
    },
    ended,
  };
}

function writeTo(child: ChildProcess, data: string | Uint8Array): Promise<boolean> {
  const { stdin } = child;
  if (stdin === null || !stdin.writable) return Promise.resolve(false);
  return new Promise((resolve) =>
    stdin.write(data, (error) => resolve(error === null || error === undefined)),
  );
}

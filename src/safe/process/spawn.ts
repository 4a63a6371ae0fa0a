/** Starts every child process: argument arrays, scrubbed environment, bounds, an end for the tree. */

import { launchChild } from "./launch.ts";
import type {
  Manner,
  ProcessEnd,
  RunningProcess,
  RunOptions,
  StartFailure,
  StartOptions,
} from "./process-types.ts";
import { supervise } from "./supervise.ts";

export type {
  EndedProcess,
  ProcessEnd,
  ProcessOptions,
  RunningProcess,
  RunOptions,
  StartFailure,
  StartOptions,
} from "./process-types.ts";

const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * Runs a process to its end. The call is over when the main process ends: what it leaves behind is ended too.
 */
export async function runProcess(options: RunOptions): Promise<ProcessEnd> {
  const { input, timeoutMs = DEFAULT_TIMEOUT_MS, ...rest } = options;
  const running = await launch(
    { ...rest, timeoutMs, stdin: input === undefined ? "closed" : "open" },
    { endOnFlood: true, log: false },
  );
  if (!running.started) return running;
  if (input !== undefined) {
    void running.write(input);
    running.endInput();
  }
  return running.ended;
}

/** Starts a process that lives until it ends, is killed, or this process dies. */
export function startProcess(options: StartOptions): Promise<RunningProcess | StartFailure> {
  return launch(options, { endOnFlood: false, log: true });
}

async function launch(options: StartOptions, manner: Manner): Promise<RunningProcess | StartFailure> {
  const launched = await launchChild(options);
  if ("started" in launched) return launched;
  return supervise(launched.child, launched.identity, { options, manner, ...launched });
}

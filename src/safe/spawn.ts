/** Starts every child process: argument arrays only, a scrubbed environment, bounded output and time, and an end for the whole tree. */

import { type ChildProcess, spawn } from "node:child_process";
import { childEnvironment } from "./environment.ts";
import { explainMissingCommand, findCommand, isDirectory } from "./find-command.ts";
import { identifyProcess } from "./kill-tree.ts";
import { guardProcess, newMark } from "./orphan-guard.ts";
import { MARK_VARIABLE } from "./process-table.ts";
import type {
  Manner,
  ProcessEnd,
  ProcessOptions,
  RunningProcess,
  RunOptions,
  StartFailure,
  StartOptions,
} from "./spawn/process-types.ts";
import { explainFailure, failure, findWrongOption } from "./spawn/start-failure.ts";
import { supervise } from "./spawn/supervise.ts";

export type {
  EndedProcess,
  ProcessEnd,
  ProcessOptions,
  RunningProcess,
  RunOptions,
  StartFailure,
  StartOptions,
} from "./spawn/process-types.ts";

const DEFAULT_TIMEOUT_MS = 60_000;

/** Runs a process to its end. The call is over when the main process ends: what it leaves behind is ended too. */
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
  const problem = findWrongOption(options);
  if (problem !== undefined) return failure("invalid_options", problem);
  if (options.signal?.aborted)
    return failure("aborted", `${options.command} was not started: the call was cancelled.`);
  const environment = childEnvironment({
    ...(options.allowEnv === undefined ? {} : { allow: options.allowEnv }),
    ...(options.env === undefined ? {} : { declared: options.env }),
  });
  if (!environment.ok) return failure("invalid_options", environment.message);
  const { env } = environment;

  const target = toStart(options, env.PATH);
  if ("started" in target) return target;
  const { mark, value } = newMark();
  env[MARK_VARIABLE] = value;
  const startedAt = performance.now();
  let child: ChildProcess;
  try {
    child = spawn(target.command, target.args, {
      cwd: options.cwd,
      env,
      stdio: [options.stdin === "open" ? "pipe" : "ignore", "pipe", "pipe"],
      // A session of its own: signals to it reach its children, and ours (Ctrl-C) do not reach it.
      detached: true,
      shell: false,
      windowsHide: true,
    });
  } catch (error) {
    return explainFailure(error, options, env.PATH);
  }
  if (child.pid === undefined) {
    const error = await new Promise<unknown>((resolve) => child.once("error", resolve));
    return explainFailure(error, options, env.PATH);
  }
  const identity = identifyProcess(child.pid, mark, options.sandbox?.active ?? false);
  const release = guardProcess(identity);
  return supervise(child, identity, { options, manner, startedAt, release });
}

/** In a sandbox the sandbox always starts, so what is missing has to be found beforehand. */
function toStart(
  options: ProcessOptions,
  path: string | undefined,
): { readonly command: string; readonly args: readonly string[] } | StartFailure {
  const { sandbox, command, args, cwd } = options;
  if (sandbox === undefined || !sandbox.active) return { command, args };
  const found = findCommand(command, path, cwd);
  if (found === undefined || !isDirectory(cwd)) {
    return { started: false, ...explainMissingCommand(command, path, cwd) };
  }
  return sandbox.wrap(command, args, { cwd });
}

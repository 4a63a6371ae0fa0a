/** Starts one child process: checked options, scrubbed environment, a mark for its tree, a guard. */

import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { infoFd, watchNamespace } from "../sandbox/namespace-end.ts";
import type { Planted } from "../sandbox/planted.ts";
import { childEnvironment } from "./environment.ts";
import { explainMissingCommand, findCommand, isDirectory } from "./find-command.ts";
import { identifyProcess, type ProcessIdentity } from "./kill-tree.ts";
import { guardProcess, newMark } from "./orphan-guard.ts";
import { MARK_VARIABLE, UPSTREAM_VARIABLE } from "./process-table.ts";
import type { ProcessOptions, StartFailure, StartOptions } from "./process-types.ts";
import { explainFailure, failure, findWrongOption } from "./start-failure.ts";

export interface LaunchedChild {
  readonly child: ChildProcess;
  readonly identity: ProcessIdentity;
  readonly startedAt: number;
  /**
   * To be called when nothing of the process is left: what it had planted in its sandbox and was taken away.
   */
  readonly release: () => Promise<readonly Planted[]>;
}

export async function launchChild(options: StartOptions): Promise<LaunchedChild | StartFailure> {
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
  const upstreamOf = options.isUpstream === true ? String(process.pid) : process.env[UPSTREAM_VARIABLE];
  if (upstreamOf !== undefined) env[UPSTREAM_VARIABLE] = upstreamOf;
  const startedAt = performance.now();
  const isSandboxed = options.sandbox?.active === true;
  const takePlanted = options.sandbox?.guard?.();
  let child: ChildProcess;
  try {
    child = spawn(target.command, target.args, {
      cwd: options.cwd,
      env,
      stdio: [
        options.stdin === "open" ? "pipe" : "ignore",
        "pipe",
        "pipe",
        ...(isSandboxed ? ["pipe" as const] : []),
        ...(options.messagePipes === true ? (["pipe", "pipe"] as const) : []),
      ],
      // A session of its own: signals to it reach its children, and ours (Ctrl-C) do not reach it.
      detached: true,
      shell: false,
      windowsHide: true,
    });
  } catch (error) {
    await takePlanted?.();
    return explainFailure(error, options, env.PATH);
  }
  if (child.pid === undefined) {
    const error = await new Promise<unknown>((resolve) => child.once("error", resolve));
    await takePlanted?.();
    return explainFailure(error, options, env.PATH);
  }
  const identity = identifyProcess(child.pid, mark, isSandboxed);
  const forget = guardProcess(identity);
  const allEnded = isSandboxed ? watchNamespace(child.stdio[infoFd] as Readable) : undefined;
  const release = async (): Promise<readonly Planted[]> => {
    forget();
    await allEnded?.();
    return (await takePlanted?.()) ?? [];
  };
  return { child, identity, startedAt, release };
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

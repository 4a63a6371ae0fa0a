/**
 * A process that stays and talks over its pipes: bytes in, bytes out as they come, nothing of its output
 * kept, and an end for the whole tree.
 */

import type { Planted } from "../sandbox/planted.ts";
import { killTree, type ProcessIdentity } from "./kill-tree.ts";
import { launchChild } from "./launch.ts";
import { endRest, watchOutput } from "./output-flow.ts";
import type { ProcessOptions, StartFailure } from "./process-types.ts";

export interface PipeOptions
  extends Pick<
    ProcessOptions,
    "command" | "args" | "cwd" | "env" | "allowEnv" | "isUpstream" | "killGraceMs" | "sandbox"
  > {
  /** Called with each chunk as it arrives; must neither wait nor throw. */
  readonly onStdout: (chunk: Buffer) => void;
  readonly onStderr: (chunk: Buffer) => void;
  /** It has closed its input, or has ended: what was written last was not read. */
  readonly onDeaf?: () => void;
}

export interface PipeProcess {
  readonly started: true;
  readonly pid: number;
  /** By which it and all that it starts are found again, also by another process of ours. */
  readonly identity: ProcessIdentity;
  /** False when it no longer reads. What it has not read yet is held in memory, see `unreadBytes`. */
  write(text: string): boolean;
  unreadBytes(): number;
  endInput(): void;
  /** Ends the whole tree. */
  kill(): Promise<PipeEnd>;
  /** When the process has ended and nothing that it left behind is running or lies about in its sandbox. */
  readonly ended: Promise<PipeEnd>;
  /** As soon as the process itself has ended. */
  readonly exited: Promise<PipeEnd>;
}

export interface PipeEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What it had put where a program outside of its sandbox would run it. */
  readonly planted?: readonly Planted[];
}

export async function startPipeProcess(options: PipeOptions): Promise<PipeProcess | StartFailure> {
  const { onStdout, onStderr, onDeaf, ...rest } = options;
  const launched = await launchChild({ ...rest, stdin: "open" });
  if ("started" in launched) return launched;
  const { child, identity, release } = launched;
  const graceMs = options.killGraceMs ?? 2000;
  const flow = watchOutput(child, (chunk, stream) => (stream === "stdout" ? onStdout : onStderr)(chunk));
  child.on("error", () => {});
  child.stdin?.on("error", () => onDeaf?.());

  let killing: Promise<unknown> | undefined;
  const exited = new Promise<PipeEnd>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  const ended = exited.then(async (end) => {
    await endRest(identity, flow, graceMs, killing);
    const planted = await release();
    return planted.length === 0 ? end : { ...end, planted };
  });
  return {
    started: true,
    pid: identity.pid,
    identity,
    write: (text) => {
      const { stdin } = child;
      if (stdin === null || !stdin.writable) return false;
      stdin.write(text);
      return true;
    },
    unreadBytes: () => child.stdin?.writableLength ?? 0,
    endInput: () => void child.stdin?.end(),
    kill: () => {
      killing ??= killTree(identity, { graceMs });
      return ended;
    },
    ended,
    exited,
  };
}

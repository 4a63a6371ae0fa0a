/** The end of the hook process: everything is written before it exits, and it exits with the code it says. */
import { writeSync } from "node:fs";
import type { HookAnswer } from "../../../agents/agent-hook.ts";
import { blockedExit } from "../../../core/call/blocked-exit.ts";

/** The JSON first, then the text, then the code: if one of them fails, what was said before still blocks. */
export function leave(
  { stdout, stderr, exitCode }: HookAnswer,
  { isStuck, before }: { readonly isStuck: boolean; readonly before: () => void },
): never {
  const isSaid = writeAll(1, stdout);
  writeAll(2, isSaid ? stderr : `${stderr}The answer could not be written, so the call is denied.\n`);
  // A change of the call that did not arrive is no change: the agent would run what it asked for.
  const code = isSaid ? exitCode : blockedExit;
  if (isStuck) leaveStuck(code);
  try {
    before();
  } catch {
    // The answer is given; nothing that comes after it may change it.
  }
  // What others print when the process ends would make plain text of our JSON.
  if (stdout !== "") process.removeAllListeners("exit");
  process.exit(code);
}

/** How long a reader that does not read may keep us. */
const writeDeadlineMs = 5_000;

/** Whether all of it was taken. */
function writeAll(fd: number, text: string): boolean {
  const bytes = Buffer.from(text);
  const deadline = Date.now() + writeDeadlineMs;
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      // The pipe is full for the moment. Anything else means that nobody listens any more.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || Date.now() > deadline) return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
  return true;
}

/** A thread waits in a read that nothing can end, and `process.exit` would wait for the thread. */
function leaveStuck(exitCode: number): void {
  const { execve } = process as { execve?: (file: string, args: readonly string[], env: object) => never };
  try {
    execve?.call(process, "/bin/sh", ["sh", "-c", `exit ${exitCode}`], {});
  } catch {
    // Below.
  }
  // Node before 22.15: the denial is written, the exit code is lost. Agents told to block on failure block.
  process.kill(process.pid, "SIGKILL");
}

/** The shell tools of one gate over one set of background processes. */
import type { ToolSet } from "../define-builtin.ts";
import { createExec } from "./exec.ts";
import { createInput } from "./input.ts";
import { createKill } from "./kill.ts";
import { createList } from "./list.ts";
import { readOptions, type ShellOptions } from "./options.ts";
import { createOutput } from "./output.ts";
import { Processes } from "./processes.ts";

/**
 * `close` ends every background process and starts no more. If nobody calls it, the processes end when this
 * process does. What runs in the foreground is waited for by `gate.close()`.
 */
export interface ShellTools extends ToolSet, AsyncDisposable {
  /** Ends the background processes of a session that is over. */
  endSession(callerId: string, sessionId: string): Promise<void>;
}

export function createShellTools(options: ShellOptions = {}): ShellTools {
  const settings = readOptions(options);
  const processes = new Processes(settings);
  const close = () => processes.close();
  return {
    tools: [
      createExec(settings, processes),
      createOutput(processes),
      createInput(processes),
      createList(processes),
      createKill(processes),
    ],
    endSession: (callerId, sessionId) => processes.endSession(callerId, sessionId),
    close,
    [Symbol.asyncDispose]: close,
  };
}

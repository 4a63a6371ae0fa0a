/** The shell tools of one gate over one set of background processes. */
import type { AnyTool } from "../../../core/tool/tool.ts";
import { createExec } from "./exec.ts";
import { createInput } from "./input.ts";
import { createKill } from "./kill.ts";
import { createList } from "./list.ts";
import { readOptions, type ShellOptions } from "./options.ts";
import { createOutput } from "./output.ts";
import { Processes } from "./processes.ts";

export interface ShellTools {
  readonly tools: readonly AnyTool[];
  /** Ends the background processes of a session that is over. */
  endSession(callerId: string, sessionId: string): Promise<void>;
  /**
   * Ends every background process and starts no more. Whoever made the tools calls it after `gate.close()`,
   * which waits for what runs in the foreground. If nobody does, the processes end when this process does.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
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

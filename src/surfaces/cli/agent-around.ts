/**
 * Whether this command runs inside an agent: some things are for a person to decide. A rail, not a wall: code
 * of the same user can leave the tree of processes and clear its variables.
 */
import { agentsMarks, isAgentProcess, nameOfProcess } from "../../agents/agent-processes.ts";
import type { CliIo } from "./terminal/io.ts";

/** Why this is not for an agent to do; undefined: no agent is around, or a person sits at the terminal. */
export function explainForPeople(what: string, io: CliIo): string | undefined {
  const agent = agentAround(io);
  if (agent === undefined) return undefined;
  return `This runs inside an agent (${agent}), and ${what} is a person's decision. Nothing was changed; a person can run it in a terminal.`;
}

/** How the agent is known, in words. */
export function agentAround(io: CliIo): string | undefined {
  // A terminal proves nothing here: script(1) and expect make one.
  const above = io.ancestors?.().find(isAgentProcess);
  if (above !== undefined) return `${nameOfProcess(above)}, pid ${above.pid}, started it`;
  const mark = agentsMarks.find((name) => (io.env[name] ?? "") !== "");
  if (mark === undefined || (io.isTerminal && io.stdinIsTerminal === true)) return undefined;
  return `${mark} is set`;
}

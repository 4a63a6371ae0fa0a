/** Whether this command runs inside an agent: some things are for a person to decide. A hint, not a wall: whoever starts us can change it. */
import type { Environment } from "../../config/folders.ts";
import type { CliIo } from "./io.ts";

/** Set by agents for the commands they run, and by toolgate for its own tools. */
const agentVariables = ["CLAUDECODE", "AI_AGENT", "GEMINI_CLI", "COPILOT_CLI", "TOOLGATE_CALL"];

/** The variable that tells; undefined if none does. */
export function findAgent(env: Environment): string | undefined {
  return agentVariables.find((name) => (env[name] ?? "") !== "");
}

/** Why this is not for an agent to do; undefined: no agent is around, or a person sits at the terminal. */
export function explainForPeople(what: string, io: CliIo): string | undefined {
  const agent = findAgent(io.env);
  if (agent === undefined || (io.isTerminal && io.stdinIsTerminal === true)) return undefined;
  return `This runs inside an agent (${agent} is set), and ${what} is a person's decision. Nothing was changed; a person can run it in a terminal.`;
}

/** Whether this command runs inside an agent: some things are for a person to decide. A hint, not a wall: whoever starts us can change it. */
import type { Environment } from "../../config/folders.ts";

/** Set by agents for the commands they run, and by toolgate for its own tools. */
const agentVariables = ["CLAUDECODE", "AI_AGENT", "GEMINI_CLI", "COPILOT_CLI", "TOOLGATE_CALL"];

/** The variable that tells; undefined if none does. */
export function findAgent(env: Environment): string | undefined {
  return agentVariables.find((name) => (env[name] ?? "") !== "");
}

/** Where Copilot keeps its own files. */
import { join } from "node:path";
import type { AgentPlace } from "../agent.ts";

export function copilotHome({ home, env }: AgentPlace): string {
  const { COPILOT_HOME: moved = "" } = env;
  return moved.trim() === "" ? join(home, ".copilot") : moved;
}

/** Where Grok keeps its own files. */
import { join } from "node:path";
import type { AgentPlace } from "../agent.ts";

export function grokHome({ home, env }: AgentPlace): string {
  const { GROK_HOME: moved = "" } = env;
  return moved.trim() === "" ? join(home, ".grok") : moved;
}

/** Where Kimi Code keeps its settings. */
import { join } from "node:path";
import type { AgentPlace } from "../agent.ts";

export function kimiHome({ home, env }: AgentPlace): string {
  const { KIMI_CODE_HOME: own } = env;
  return own === undefined || own === "" ? join(home, ".kimi-code") : own;
}

export function kimiConfig(place: AgentPlace): string {
  return join(kimiHome(place), "config.toml");
}

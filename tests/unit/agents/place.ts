/** A place in which an agent has no files. */
import type { AgentPlace } from "../../../src/agents/agent.ts";

export const place: AgentPlace = { home: "/nobody", env: {}, projectDir: undefined };

/** Who makes the calls of a session: its agent, for the person who started it. */
import type { Caller } from "../core/call/call.ts";
import type { NewSession } from "../core/ports/sessions.ts";

/** Never more than its owner: what rules say about the owner holds for the agent, too. */
export function agentCaller({ id, owner, capabilities, tools }: NewSession): Caller {
  return {
    id: agentName(id),
    owner,
    capabilities,
    // What is not offered is refused, too, should a model call it all the same.
    ...(tools.offer === "none" ? { categories: [] } : tools.categories && { categories: tools.categories }),
    rights: ["call"],
  };
}

export function agentName(sessionId: string): string {
  return `agent:${sessionId}`;
}

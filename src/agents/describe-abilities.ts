/** What an agent lets a hook do, in a few words each: for `toolgate agents` and for docs/agents.md. */
import type { AgentAbilities } from "./agent-setup.ts";

export interface DescribedAbilities {
  readonly can: readonly string[];
  readonly cannot: readonly string[];
}

export function describeAbilities(abilities: AgentAbilities): DescribedAbilities {
  const { deny, ask, contextBefore, contextAfter, rewrite, callId, subAgents, onHookFailure } = abilities;
  const said: readonly (readonly [boolean, string, string])[] = [
    [deny === "told", "block, and tell the model why", `tell the model why a call is blocked (${deny})`],
    [true, ask === "own prompt" ? "ask in its own prompt" : "ask through toolgate's queue", ""],
    [rewrite, "change a call", "change a call (it is blocked, with what to run instead)"],
    [contextBefore, "add a remark before a call", "add a remark before a call"],
    [contextAfter, "add a remark after a call", "add a remark after a call"],
    [callId, "name calls as the model does", "name calls as the model does"],
    [
      subAgents === "hooked" || subAgents === "none",
      subAgents === "none" ? "" : "see the calls of sub-agents",
      `see the calls of sub-agents${subAgents === "not tried" ? " (not tried)" : ""}`,
    ],
    [onHookFailure === "denies", "block when the hook fails", "block when the hook itself cannot start"],
  ];
  return {
    can: said.flatMap(([holds, can]) => (holds && can !== "" ? [can] : [])),
    cannot: said.flatMap(([holds, , cannot]) => (holds ? [] : [cannot])),
  };
}

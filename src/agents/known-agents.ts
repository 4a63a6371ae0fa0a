/** The coding agents that toolgate can be installed into. */
import { closestNames } from "../core/tool/tool-name.ts";

export const knownAgents = ["claude-code"] as const;

export type AgentName = (typeof knownAgents)[number];

export function isKnownAgent(name: string): name is AgentName {
  return (knownAgents as readonly string[]).includes(name);
}

export function explainUnknownAgent(name: string): string {
  const close = closestNames(name, knownAgents, 1)[0];
  const list = `Known agents: ${knownAgents.join(", ")}.`;
  return `Unknown agent ${JSON.stringify(name)}. ${close === undefined ? list : `Did you mean ${close}? ${list}`}`;
}

/** Which agents a command is about: those that were named, all that count, or those that a person chooses. */
import type { AgentAdapter } from "../../../../agents/agent.ts";
import { agentNames, allAgents } from "../../../../agents/all-agents.ts";
import { closestNames } from "../../../../core/tool/tool-name.ts";
import type { CliIo } from "../../terminal/io.ts";
import { type KnownAgent, loadAgents } from "./on-machine.ts";
import { atTerminal, type Person } from "./person.ts";

export interface AgentChoice {
  readonly agents?: readonly string[] | undefined;
  readonly all?: boolean | undefined;
  readonly json?: boolean | undefined;
  /** Which there are; only tests have others. */
  readonly known?: readonly AgentAdapter[] | undefined;
  readonly person?: Person | undefined;
}

export interface Counting {
  readonly command: "install" | "uninstall";
  /** Those that `--all` means. */
  counts(known: KnownAgent): boolean;
  /** Of those that count: "found", "installed". */
  readonly hint: string;
  /** Why `--all` finds none. */
  readonly none: string;
}

/** A text: why there is nothing to do. */
export async function chooseAgents(
  { agents = [], all, json, known: adapters = allAgents, person = atTerminal }: AgentChoice,
  counting: Counting,
  io: CliIo,
): Promise<readonly KnownAgent[] | string> {
  if (agents.length > 0 && all === true) return "Name agents, or use --all; both together say two things.";
  const names = adapters.map(({ name }) => name);
  const unknown = agents.find((name) => !names.includes(name));
  if (unknown !== undefined) return explainUnknownAgent(unknown, names);
  if (agents.length > 0) return loadAgents(adapters.filter(({ name }) => agents.includes(name)));
  const known = await loadAgents(adapters);
  const counted = known.filter(counting.counts);
  if (all === true) return counted.length > 0 ? counted : counting.none;
  const first = counted.map(({ agent }) => agent.name);
  const { question, choices } = describe(known, first, counting);
  const chosen = json === true ? undefined : await person.choose(question, choices, first, io);
  if (chosen === undefined) return explainNobody(first, names, counting);
  return chosen.length > 0 ? known.filter(({ agent }) => chosen.includes(agent.name)) : "Nothing was chosen.";
}

function describe(known: readonly KnownAgent[], names: readonly string[], { command, hint }: Counting) {
  const choices = known.map(({ agent }) => ({
    value: agent.name,
    label: agent.title,
    ...(names.includes(agent.name) && { hint }),
  }));
  const question = `${command === "install" ? "Which agents are to" : "Which agents are no longer to"} ask toolgate before every tool call?`;
  return { question, choices };
}

function explainNobody(
  found: readonly string[],
  names: readonly string[],
  { command, hint }: Counting,
): string {
  const all = found.length === 0 ? "" : ` --all means ${found.join(", ")} (${hint}).`;
  return `Name one or more agents, or use --all: toolgate ${command} ${names[0]}.${all} Known agents: ${names.join(", ")}.`;
}

export function explainUnknownAgent(name: string, names: readonly string[] = agentNames): string {
  const [close] = closestNames(name, names, 1);
  const list = `Known agents: ${names.join(", ")}.`;
  return `Unknown agent ${JSON.stringify(name)}. ${close === undefined ? list : `Did you mean ${close}? ${list}`}`;
}

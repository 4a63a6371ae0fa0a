/** Which agents doctor looks at, what their files say, and what their own programs make of them. */
import type { AgentAdapter } from "../../../../agents/agent.ts";
import type { AgentSetup, CheckedSetup, ProjectPlace } from "../../../../agents/agent-setup.ts";
import { allAgents, firstAgent } from "../../../../agents/all-agents.ts";
import { info, ok, type SetupFinding, warning } from "../../../../agents/setup-finding.ts";
import type { CliIo } from "../../terminal/io.ts";
import { isOnMachine } from "../install/on-machine.ts";
import { findClient } from "./client.ts";
import { releaseClientCanary } from "./client-canary.ts";
import { askVersion } from "./client-version.ts";

export interface Examined {
  readonly agent: AgentAdapter;
  readonly setup: AgentSetup;
  readonly checked: CheckedSetup;
  readonly untrusted: readonly string[];
}

export interface ChosenAgents {
  readonly examined: readonly Examined[];
  /** On the machine, and without our hook. */
  readonly ungated: readonly AgentAdapter[];
}

/**
 * The agent that was named; else those that have our hook. Others on the machine are only mentioned, unless there
 * is nothing else to say.
 */
export async function chooseAgents(
  named: AgentAdapter | undefined,
  place: ProjectPlace,
  io: CliIo,
): Promise<ChosenAgents> {
  if (named !== undefined) return { examined: [await examineAgent(named, place)], ungated: [] };
  const all = await Promise.all(allAgents.map((agent) => examineAgent(agent, place)));
  const gated = all.filter(({ checked }) => checked.installed.length > 0);
  const others = all.filter((one) => !gated.includes(one) && isOnMachine(one.setup, place, io));
  if (gated.length > 0) return { examined: gated, ungated: others.map(({ agent }) => agent) };
  const [only] = others.length > 0 ? others : all.filter(({ agent }) => agent === firstAgent);
  return {
    examined: only === undefined ? [] : [only],
    ungated: others.slice(1).map(({ agent }) => agent),
  };
}

export function describeUngated({ name, title }: AgentAdapter): SetupFinding {
  return info("ungated", `${title} is on this machine and does not ask toolgate: toolgate install ${name}`);
}

async function examineAgent(agent: AgentAdapter, place: ProjectPlace): Promise<Examined> {
  const setup = await agent.loadSetup();
  return { agent, setup, checked: setup.examine(place), untrusted: setup.findUntrusted(place) };
}

export async function tryClient(
  { agent, setup, checked, untrusted }: Examined,
  place: ProjectPlace,
  io: CliIo,
): Promise<SetupFinding[]> {
  const { client } = setup;
  if (client === undefined)
    return [
      info("client", `${agent.title} cannot be tried without an account: only its files were looked at.`),
    ];
  const isTrusted = untrusted.length === 0;
  const notTried = isTrusted
    ? []
    : [
        warning(
          "folder-trust",
          `Nothing was started that this folder names (${untrusted.join(", ")}): ${agent.title} was never told to trust it.`,
          `Look at these files, start ${client.program} here and trust the folder, then run doctor again.`,
        ),
      ];
  const program = findClient(client, place, io);
  if (program === undefined) {
    const message = `No ${client.program} on the PATH: what it makes of its files was not tried.`;
    return [...notTried, info("client", message)];
  }
  const said = [
    ...notTried,
    ...((await client.ask?.(program, isTrusted)) ?? [await describeVersion(program)]),
  ];
  return isTrusted && checked.installed.length > 0
    ? [...said, await releaseClientCanary({ title: agent.title, client, program, place })]
    : said;
}

async function describeVersion(program: Parameters<typeof askVersion>[0]): Promise<SetupFinding> {
  const version = await askVersion(program);
  return version === undefined
    ? warning("client", `${program.program} does not start.`)
    : ok("client", `${program.program} is ${version}.`);
}

/** `toolgate agents`: which agents are here, what they can do, and whether toolgate really stops them. */
import type { AgentAdapter } from "../../../../agents/agent.ts";
import { allAgents, findAgent, withoutSession } from "../../../../agents/all-agents.ts";
import { describeAbilities } from "../../../../agents/describe-abilities.ts";
import { findProject } from "../../../../config/find-project.ts";
import { findFolders } from "../../../../config/folders.ts";
import { visible } from "../../../../core/text/visible.ts";
import { coloursFor } from "../../terminal/colours.ts";
import { type CliIo, exitCodes, fail, printJson } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { createProgress } from "../../terminal/progress.ts";
import { formatTable } from "../../terminal/table.ts";
import { explainUnknownAgent } from "../install/choose-agents.ts";
import { type FoundAgent, lookAt } from "./look-at-agent.ts";

export interface AgentsOptions {
  readonly agent?: string | undefined;
  readonly all?: boolean | undefined;
  readonly canary?: boolean | undefined;
  readonly json?: boolean | undefined;
  /** Which there are; only tests have others. */
  readonly known?: readonly AgentAdapter[] | undefined;
}

export async function runAgents(options: AgentsOptions, io: CliIo): Promise<number> {
  const { agent: name, all = false, canary = false, json, known = allAgents } = options;
  const named = known.find((agent) => agent.name === name) ?? findAgent(name);
  if (name !== undefined && named === undefined) return fail(explainUnknownAgent(name), io);
  const found = await look(named === undefined ? known : [named], { canary, io });
  const isShown = ({ isHere, scopes }: FoundAgent) =>
    all || name !== undefined || isHere || scopes.length > 0;
  const shown = found.filter(isShown);
  if (json === true) printJson(shown.map(toJson), io);
  else io.out(describe(shown, { others: found.filter((one) => !isShown(one)), canary, io }));
  return shown.some(({ gated }) => gated === "no") ? exitCodes.failed : exitCodes.ok;
}

async function look(
  agents: readonly AgentAdapter[],
  { canary, io }: { readonly canary: boolean; readonly io: CliIo },
): Promise<readonly FoundAgent[]> {
  const { home } = findFolders(io.env);
  const { folder: projectDir } = findProject(io.cwd, home);
  const place = { home, env: withoutSession(io.env), projectDir };
  using progress = createProgress(io);
  progress.step("Asking the agents for their versions");
  const looking = agents.map((agent) => lookAt(agent, place, io));
  const found = await Promise.all(looking.map((one) => one.seen));
  if (!canary) return found;
  // One after the other: each is a whole agent.
  const tried: FoundAgent[] = [];
  for (const [at, one] of found.entries()) {
    progress.step(`Starting ${one.agent.title} for a call that a rule forbids`);
    tried.push({ ...one, ...(await looking[at]?.tryOut()) });
  }
  return tried;
}

function toJson({ agent, version, isHere, scopes, gated, why, abilities }: FoundAgent) {
  return {
    name: agent.name,
    title: agent.title,
    version: version ?? null,
    onMachine: isHere,
    installed: scopes,
    gated,
    ...(why !== undefined && { why }),
    abilities,
  };
}

interface Described {
  readonly others: readonly FoundAgent[];
  readonly canary: boolean;
  readonly io: CliIo;
}

function describe(shown: readonly FoundAgent[], { others, canary, io }: Described): string {
  const colours = coloursFor(io);
  const rows = shown.map(({ agent, version = "-", scopes, gated }) => [
    agent.name,
    version,
    scopes.join(", ") || "no",
    gated,
  ]);
  const parts = shown.map(({ agent, abilities, why }) => {
    const { can, cannot } = describeAbilities(abilities);
    const tested =
      abilities.measured === undefined ? "by its documentation" : `tried with ${abilities.measured}`;
    return [
      `${colours.bold(agent.title)} ${colours.dim(`(${tested})`)}`,
      ...(why === undefined ? [] : [`  ${visible(why)}`]),
      `  can: ${can.join("; ")}`,
      ...(cannot.length === 0 ? [] : [`  cannot: ${cannot.join("; ")}`]),
      ...abilities.holes.map((hole) => `  hole: ${hole}`),
    ].join("\n");
  });
  const more = others.map(({ agent }) => agent.name).join(", ");
  return [
    shown.length === 0
      ? "No agent that toolgate knows is on this machine.\n"
      : formatTable(["agent", "version", "hook", "gated"], rows, io),
    ...parts.map((part) => `${part}\n`),
    asTyped(
      [
        ...(more === "" ? [] : [`Not on this machine: ${more} (toolgate agents --all)\n`]),
        ...(canary || shown.every(({ scopes }) => scopes.length === 0)
          ? []
          : ["Are they really stopped? toolgate agents --canary\n"]),
      ].join(""),
      io,
    ),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

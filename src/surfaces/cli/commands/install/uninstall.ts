/** `toolgate uninstall <agent>...`: takes our hooks out of agents' settings and leaves the rest as it is. */
import type { SetupRequest, SetupResult } from "../../../../agents/agent-setup.ts";
import { findFolders } from "../../../../config/folders.ts";
import { coloursFor } from "../../terminal/colours.ts";
import type { CliIo } from "../../terminal/io.ts";
import { chooseAgents } from "./choose-agents.ts";
import { linesHere } from "./hook-source.ts";
import { openInstallations } from "./installations.ts";
import { returnServers } from "./move-servers.ts";
import type { KnownAgent } from "./on-machine.ts";
import {
  type AgentEnd,
  describePlan,
  exitCodeOf,
  failed,
  isChanged,
  printEnds,
  shownFiles,
  tellFailure,
  tellNotes,
} from "./setup-report.ts";
import { readSetup, type SetupOptions } from "./setup-request.ts";

export async function runUninstall(options: SetupOptions, io: CliIo): Promise<number> {
  const asked = readSetup(options, "taking the hooks out", io);
  if (typeof asked === "string") return failed(asked, options, io);
  const memory = openInstallations(findFolders(io.env).data);
  const request = { ...asked, memory };
  const chosen = await chooseAgents(options, countInstalled(request), io);
  if (typeof chosen === "string") return failed(chosen, options, io);
  const returned = returnServers(chosen, request, io);
  const ends = chosen.map((known) => ({
    agent: known.agent,
    result: together(returned.get(known), uninstall(known, request)),
  }));
  if (options.dryRun !== true) memory.tidy({ named: await linesHere(request, options.known) });
  if (options.json === true) printEnds(ends, options, io);
  else tell(ends, options, io);
  return exitCodeOf(ends, options);
}

/** Whatever goes wrong in it concerns this agent alone. */
function uninstall({ setup }: KnownAgent, request: SetupRequest): SetupResult {
  try {
    return setup.uninstall(request);
  } catch (error) {
    return { ok: false, message: `It could not be uninstalled: ${(error as Error).message}` };
  }
}

/** The servers came back first; a file that held both is the same one then. */
function together(servers: SetupResult | undefined, hooks: SetupResult): SetupResult {
  if (servers === undefined || !hooks.ok) return hooks;
  if (!servers.ok) return servers;
  return { ...hooks, files: [...servers.files, ...hooks.files], notes: [...servers.notes, ...hooks.notes] };
}

function countInstalled(request: SetupRequest) {
  return {
    command: "uninstall",
    counts(known: KnownAgent) {
      if (!known.setup.scopes.includes(request.scope)) return false;
      const result = uninstall(known, { ...request, dryRun: true });
      // What cannot even be looked at is not passed over.
      return !result.ok || isChanged(result);
    },
    hint: "installed",
    none: "Nothing of toolgate is in the settings of any agent.",
  } as const;
}

function tell(ends: readonly AgentEnd[], { dryRun }: SetupOptions, io: CliIo): void {
  for (const { agent, result } of ends) {
    if (!result.ok) {
      tellFailure(agent, result.message, io);
      continue;
    }
    const files = shownFiles(result, io);
    if (!isChanged(result)) io.out(`Nothing of toolgate is in ${files}.\n`);
    else if (dryRun !== true) io.out(`${coloursFor(io).green("✓")} Took the hooks out of ${files}.\n`);
    else io.out(`${describePlan(agent, result, io)}Would take the hooks out of ${files}.\n`);
  }
  tellNotes(ends, io);
}

/** One agent on this machine: its version, where our hook is installed, and, if asked for, whether it is stopped. */
import type { AgentAdapter } from "../../../../agents/agent.ts";
import type { AgentAbilities, AgentSetup, ProjectPlace, SetupScope } from "../../../../agents/agent-setup.ts";
import type { CliIo } from "../../terminal/io.ts";
import { findClient } from "../doctor/client.ts";
import { askVersion } from "../doctor/client-version.ts";
import { tryClient } from "../doctor/examine-agents.ts";
import { isOnMachine } from "../install/on-machine.ts";

export interface FoundAgent {
  readonly agent: AgentAdapter;
  readonly abilities: AgentAbilities;
  /** As its program says; absent: there is none on the PATH, or it does not say. */
  readonly version?: string;
  readonly isHere: boolean;
  /** In whose settings our hook is; `plugin`: not in settings, but in something that the agent loads. */
  readonly scopes: readonly (SetupScope | "plugin")[];
  readonly gated: "yes" | "no" | "no hook" | "not tried";
  /** Why it is not, or was not tried. */
  readonly why?: string;
}

export interface LookedAt {
  readonly seen: Promise<FoundAgent>;
  /** Starts the agent itself for a forbidden call. */
  tryOut(): Promise<Pick<FoundAgent, "gated" | "why">>;
}

export function lookAt(agent: AgentAdapter, place: ProjectPlace, io: CliIo): LookedAt {
  const looked = agent.loadSetup().then((setup) => ({ setup, checked: setup.examine(place) }));
  return {
    seen: looked.then(async ({ setup, checked }) => {
      const version = await findVersion(setup, place, io);
      const settings = scopesOf(setup, place);
      const isInstalled = checked.installed.length > 0;
      const scopes = settings.length === 0 && isInstalled ? (["plugin"] as const) : settings;
      return {
        agent,
        abilities: setup.abilities,
        ...(version !== undefined && { version }),
        isHere: version !== undefined || isOnMachine(setup, place, io),
        scopes,
        gated: scopes.length > 0 ? "not tried" : "no hook",
      };
    }),
    async tryOut() {
      const { setup, checked } = await looked;
      if (checked.installed.length === 0) return { gated: "no hook" };
      const untrusted = setup.findUntrusted(place);
      const said = await tryClient({ agent, setup, checked, untrusted }, place, io);
      const canary = said.find(({ check }) => check === "client-canary");
      if (canary?.level === "ok") return { gated: "yes" };
      const why = canary ?? said.find(({ level }) => level !== "ok");
      return {
        gated: canary?.level === "problem" ? "no" : "not tried",
        ...(why !== undefined && { why: why.message }),
      };
    },
  };
}

/** Where uninstall would find something to take out. */
function scopesOf(setup: AgentSetup, place: ProjectPlace): SetupScope[] {
  const here = setup.scopes.filter((scope) => scope === "user" || place.projectDir !== place.home);
  return here.filter((scope) => {
    const result = setup.uninstall({ ...place, scope, dryRun: true });
    return result.ok && result.files.some(({ change }) => change !== "none");
  });
}

async function findVersion(
  { client, signs }: AgentSetup,
  place: ProjectPlace,
  io: CliIo,
): Promise<string | undefined> {
  const names = client === undefined ? signs.programs : [client.program];
  for (const program of names) {
    const found = findClient({ quiet: {}, inherits: [], ...client, program }, place, io);
    if (found !== undefined) return askVersion(found);
  }
  return undefined;
}

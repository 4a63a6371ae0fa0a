/** The table of `toolgate agents` for a server: looked up when somebody asks, and not too often. */
import { allAgents, withoutSession } from "../../../../agents/all-agents.ts";
import { describeAbilities } from "../../../../agents/describe-abilities.ts";
import { findFolders } from "../../../../config/folders.ts";
import { defined } from "../../../../core/input/defined.ts";
import type { Agent } from "../../../rest/contract.ts";
import type { CliIo } from "../../terminal/io.ts";
import type { FoundAgent } from "./look-at-agent.ts";

/** Each of them is started once to ask for its version. */
const holdsMs = 60_000;

export function createAgentTable(projectDir: string, io: CliIo): () => Promise<readonly Agent[]> {
  let known: { readonly at: number; readonly table: Promise<readonly Agent[]> } | undefined;
  const look = async () => {
    // What most servers are never asked for is not loaded at their start.
    const { lookAt } = await import("./look-at-agent.ts");
    const place = { home: findFolders(io.env).home, env: withoutSession(io.env), projectDir };
    const found = await Promise.all(allAgents.map((agent) => lookAt(agent, place, io).seen));
    return found.map(toAgent);
  };
  return () => {
    if (known === undefined || Date.now() - known.at > holdsMs) known = { at: Date.now(), table: look() };
    return known.table;
  };
}

function toAgent({ agent, version, isHere, scopes, abilities }: FoundAgent): Agent {
  const { can, cannot } = describeAbilities(abilities);
  const { measured, holes } = abilities;
  const { name, title } = agent;
  const about = { name, title, version, onMachine: isHere, installed: [...scopes], measured };
  return defined({ ...about, can: [...can], cannot: [...cannot], holes: [...holes] });
}

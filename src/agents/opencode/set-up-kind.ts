/** The set-up of OpenCode, and of Kilo, which differs in names alone. */
import { join } from "node:path";
import type { AgentAbilities, AgentSetup } from "../agent-setup.ts";
import { pluginFile } from "../in-process/plugin-file.ts";
import { pluginTrial } from "../in-process/plugin-trial.ts";
import { setUpAgent } from "../set-up/set-up-agent.ts";
import { opencodeClient } from "./client.ts";
import { configFolder, type OpencodeKind } from "./places.ts";
import { findOpencodeServers } from "./servers.ts";

export interface NamedKind extends OpencodeKind {
  readonly name: string;
  readonly title: string;
  readonly measured: string;
}

export function setUpOpencode(kind: NamedKind): AgentSetup {
  const { name, title, measured, program } = kind;
  return setUpAgent({
    name,
    title,
    abilities: { measured, ...abilities },
    scopes: ["user", "project"],
    signs: { programs: [program], folders: (place) => [configFolder(place, kind)] },
    parts: (place) => {
      const folder =
        place.scope === "project" ? join(place.projectDir, `.${kind.folder}`) : configFolder(place, kind);
      return [pluginFile(name, join(folder, kind.plugins, "toolgate.js"), "opencode")];
    },
    hookTrial: pluginTrial,
    findServers: (place) => findOpencodeServers(place, kind),
    client: opencodeClient(kind),
  });
}

const abilities: Omit<AgentAbilities, "measured"> = {
  deny: "told",
  ask: "queue",
  contextBefore: true,
  contextAfter: true,
  rewrite: true,
  callId: true,
  subAgents: "hooked",
  onHookFailure: "denies",
  holes: [
    "--pure starts it without plugins.",
    "A plugin file that was damaged is dropped without a word; doctor compares it.",
    "Another plugin that comes after ours may still change a call that was checked.",
    "With the experimental code mode, calls of MCP tools inside of a program are not seen one by one.",
  ],
};

/** Where agents keep their MCP servers, and how an entry of ours looks there: one line for each agent. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isRecord, type JsonObject } from "../../core/input/json.ts";
import type { ProjectPlace, SetupScope } from "../agent-setup.ts";
import { readCodexServers } from "./codex-servers.ts";
import type { ForeignServer } from "./foreign-server.ts";
import { readServerMap } from "./json-servers.ts";
import { readOpencodeServers } from "./opencode-servers.ts";
import { withOwnLimits } from "./own-limits.ts";

export interface McpPlace {
  readonly file: string;
  readonly format: "json" | "toml";
  /** Where the servers stand in it. */
  readonly at: readonly string[];
  /** The entry that starts this program. */
  entry(program: string, args: readonly string[]): JsonObject;
  /** Keys of the same file that say which servers or tools there are: they know no server behind the gate. */
  readonly limits?: readonly (readonly string[])[];
  /** `servers`: what stands there. */
  read(servers: Readonly<Record<string, unknown>>, file: string): readonly ForeignServer[];
}

export interface McpScope extends ProjectPlace {
  readonly scope: SetupScope;
}

/**
 * Undefined: nobody knows where. Of a project's file, too: it is everybody's, and what moves goes into the
 * configuration of one.
 */
export function mcpPlaceOf(agent: string, place: McpScope): McpPlace | undefined {
  if (place.scope === "project" || (place.scope === "local" && agent !== withLocal)) return undefined;
  return places[agent]?.(place);
}

/** The only one that keeps servers of one person for one project. */
const withLocal = "claude-code";

/** The agents whose places are known. */
export const mcpAgents = (): readonly string[] => Object.keys(places);

type PlaceOf = (place: McpScope) => McpPlace;

const inMap = (servers: Readonly<Record<string, unknown>>, file: string, fill = (text: string) => text) =>
  readServerMap(servers, file, fill).map((server) => withOwnLimits(server, servers[server.name]));
const plain = (command: string, args: readonly string[]): JsonObject => ({ command, args });

function json(file: string, more: Partial<McpPlace> = {}): McpPlace {
  return { file, format: "json", at: ["mcpServers"], entry: plain, read: inMap, ...more };
}

/** Both read one settings file for everything. */
const inSettings = (folder: string) =>
  json(join(folder, "settings.json"), {
    read: inGeminiMap,
    limits: [["mcp", "allowed"], ["mcp", "excluded"], ["allowMCPServers"], ["excludeMCPServers"]],
  });

/** Gemini CLI and Qwen Code name an address `httpUrl`; `url` is one of the old transport. */
function inGeminiMap(servers: Readonly<Record<string, unknown>>, file: string): readonly ForeignServer[] {
  const asOthers = Object.entries(servers).map(([name, server]) => {
    if (!isRecord(server)) return [name, server] as const;
    const { httpUrl, ...rest } = server;
    if (httpUrl !== undefined) return [name, { ...rest, url: httpUrl }] as const;
    return [name, server.url === undefined ? server : { ...server, type: "sse" }] as const;
  });
  return inMap(Object.fromEntries(asOthers), file, withBraces);
}

/** `$NAME`, which both fill in as well as `${NAME}`. */
function withBraces(text: string): string {
  return text.replaceAll(/\$([A-Za-z_]\w*)/g, (_, name: string) => `\${${name}}`);
}

const places: Readonly<Record<string, PlaceOf>> = {
  "claude-code": ({ scope, home, projectDir, env }) => {
    const entry = (command: string, args: readonly string[]) => ({ type: "stdio", command, args });
    const file = join(env.CLAUDE_CONFIG_DIR ?? home, ".claude.json");
    return json(file, { entry, ...(scope === "local" && { at: ["projects", projectDir, "mcpServers"] }) });
  },
  codex: ({ home, env }) => {
    const file = join(env.CODEX_HOME ?? join(home, ".codex"), "config.toml");
    const read: McpPlace["read"] = (mcp_servers, from) => readCodexServers({ mcp_servers }, from);
    return { file, format: "toml", at: ["mcp_servers"], entry: plain, read };
  },
  gemini: ({ home, env }) => inSettings(join(env.GEMINI_CLI_HOME ?? home, ".gemini")),
  qwen: ({ home }) => inSettings(join(home, ".qwen")),
  copilot: ({ home, env }) => {
    const { COPILOT_HOME: moved = "" } = env;
    const folder = moved.trim() === "" ? join(home, ".copilot") : moved;
    const all = { tools: ["*"] };
    const entry: McpPlace["entry"] = (command, args) => ({ type: "local", command, args, ...all });
    return json(join(folder, "mcp-config.json"), { entry });
  },
  opencode: ({ home, env }) => {
    const folder = join(env.XDG_CONFIG_HOME ?? join(home, ".config"), "opencode");
    const file = join(folder, "opencode.json");
    const entry: McpPlace["entry"] = (program, args) => {
      return { type: "local", command: [program, ...args], enabled: true };
    };
    const isOther = !existsSync(file) && existsSync(`${file}c`);
    return json(isOther ? `${file}c` : file, {
      at: ["mcp"],
      entry,
      read: readOpencodeServers,
      limits: [["tools"]],
    });
  },
  cline: ({ home, env }) => {
    const data = env.CLINE_DATA_DIR ?? join(env.CLINE_DIR ?? join(home, ".cline"), "data");
    return json(join(data, "settings", "cline_mcp_settings.json"));
  },
};

/** Where Claude Code keeps its settings and plugins. */
import { isAbsolute, join, resolve } from "node:path";
import type { AgentPlace } from "../agent.ts";
import { readJsonFile } from "../read-json-file.ts";

export type SettingsLevel = "user" | "project" | "local" | "managed";

export interface SettingsFile {
  readonly level: SettingsLevel;
  readonly file: string;
}

export interface ClaudePlaces {
  /** `~/.claude`. */
  readonly configDir: string;
  readonly pluginsDir: string;
  readonly skillsDir: string;
  /** The folder in which the client was started, as it says itself. */
  readonly projectDir: string | undefined;
  /** Later ones override earlier ones. */
  readonly settings: readonly SettingsFile[];
  /** Each `*.json` in it counts like the managed settings. */
  readonly managedFolder: string;
}

export function findClaudePlaces(place: AgentPlace): ClaudePlaces {
  const { home, env, managedDir = systemDir() } = place;
  const said = given(env.CLAUDE_PROJECT_DIR);
  const projectDir = said !== undefined && isAbsolute(said) ? said : place.projectDir;
  const from = (path: string) =>
    path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : resolve(projectDir ?? home, path);
  const configDir = from(given(env.CLAUDE_CONFIG_DIR) ?? "~/.claude");
  const pluginsDir = given(env.CLAUDE_CODE_PLUGIN_CACHE_DIR);
  const project: SettingsFile[] =
    projectDir === undefined
      ? []
      : [
          { level: "project", file: join(projectDir, ".claude", "settings.json") },
          { level: "local", file: join(projectDir, ".claude", "settings.local.json") },
        ];
  return {
    configDir,
    pluginsDir: pluginsDir === undefined ? join(configDir, "plugins") : from(pluginsDir),
    skillsDir: join(configDir, "skills"),
    projectDir,
    settings: [
      { level: "user", file: join(configDir, "settings.json") },
      ...project,
      { level: "managed", file: join(managedDir, "managed-settings.json") },
    ],
    managedFolder: join(managedDir, "managed-settings.d"),
  };
}

/** It grows with every session of the client. */
const maxStateBytes = 64 * 1024 * 1024;

/** Where the client keeps which MCP servers it has, and which folders the person trusts. */
export function readClientState(place: AgentPlace): unknown {
  const isMoved = given(place.env.CLAUDE_CONFIG_DIR) !== undefined;
  const folder = isMoved ? findClaudePlaces(place).configDir : place.home;
  const read = readJsonFile(join(folder, ".claude.json"), maxStateBytes);
  return read.state === "read" ? read.value : undefined;
}

function systemDir(): string {
  if (process.platform === "darwin") return "/Library/Application Support/ClaudeCode";
  if (process.platform === "win32") return "C:\\Program Files\\ClaudeCode";
  return "/etc/claude-code";
}

function given(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : value;
}

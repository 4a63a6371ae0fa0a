/** Finds the MCP servers of Claude, Cursor, VS Code and Codex: the user's and the project's. */

import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { isRecord } from "../../core/input/json.ts";
import { inOneLine, parseLooseJson } from "../loose-json.ts";
import { readCodexServers } from "./codex-servers.ts";
import { type ForeignServer, serversOf } from "./foreign-server.ts";
import { readServerMap } from "./json-servers.ts";
import type { ServerOwner } from "./server-owners.ts";

export interface ServerSearch {
  readonly home: string;
  readonly projectDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
}

export interface FoundServers {
  readonly servers: readonly ForeignServer[];
  /** Files that were looked for and are there. */
  readonly files: readonly string[];
  /** Every file that was looked for. */
  readonly lookedFor: readonly string[];
  /** What is wrong with files. */
  readonly problems: readonly string[];
}

export function findServers(owner: ServerOwner, search: ServerSearch): FoundServers {
  const files: string[] = [];
  const problems: string[] = [];
  const places = placesOf(owner, search);
  const servers = places.flatMap(({ file, read }) => {
    const text = readIfThere(file, problems);
    if (text === undefined) return [];
    files.push(file);
    try {
      return read(text);
    } catch (error) {
      problems.push(`${file} cannot be read: ${inOneLine(error as Error)}`);
      return [];
    }
  });
  return { servers, files, lookedFor: places.map(({ file }) => file), problems: [...new Set(problems)] };
}

interface Place {
  readonly file: string;
  read(text: string): ForeignServer[];
}

/** The project's first: of two of the same name that program uses the nearer one. */
function placesOf(owner: ServerOwner, search: ServerSearch): Place[] {
  const { home, projectDir, env } = search;
  const json = (file: string, keys: readonly string[], fill = sameText): Place => ({
    file,
    read: (text) => readServerMap(serversOf(at(parseLooseJson(text), keys), keys.join(".")), file, fill),
  });
  if (owner === "claude") {
    const user = join(env.CLAUDE_CONFIG_DIR ?? home, ".claude.json");
    return [
      json(join(projectDir, ".mcp.json"), ["mcpServers"]),
      json(user, ["projects", projectDir, "mcpServers"]),
      json(user, ["mcpServers"]),
      json(join(appFolder(search, "Claude"), "claude_desktop_config.json"), ["mcpServers"]),
    ];
  }
  const ofEditor = editorPlaceholders(search);
  if (owner === "cursor")
    return [projectDir, home].map((folder) =>
      json(join(folder, ".cursor", "mcp.json"), ["mcpServers"], ofEditor),
    );
  if (owner === "vscode") {
    const user = join(appFolder(search, "Code"), "User");
    return [
      json(join(projectDir, ".vscode", "mcp.json"), ["servers"], ofEditor),
      json(join(user, "mcp.json"), ["servers"], ofEditor),
      json(join(user, "settings.json"), ["mcp", "servers"], ofEditor),
    ];
  }
  return [join(projectDir, ".codex"), env.CODEX_HOME ?? join(home, ".codex")].map((folder) => {
    const file = join(folder, "config.toml");
    return { file, read: (text) => readCodexServers(parseToml(text), file) };
  });
}

/** Where programs keep what they know about their user. */
function appFolder({ home, env, platform = process.platform }: ServerSearch, name: string): string {
  if (platform === "darwin") return join(home, "Library", "Application Support", name);
  if (platform === "win32") return join(env.APPDATA ?? join(home, "AppData", "Roaming"), name);
  return join(env.XDG_CONFIG_HOME ?? join(home, ".config"), name);
}

function sameText(text: string): string {
  return text;
}

/** `${env:NAME}`, `${input:github-token}` and the folders that editors know. */
function editorPlaceholders({ home, projectDir }: ServerSearch): (text: string) => string {
  return (text) =>
    text
      .replaceAll(/\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => `\${${name}}`)
      .replaceAll(/\$\{input:([^}]+)\}/g, (_, id: string) => `\${${variableName(id)}}`)
      .replaceAll(/\$\{workspaceFolder(?::[^}]*)?\}/g, () => projectDir)
      .replaceAll(/\$\{workspaceFolderBasename\}/g, () => basename(projectDir))
      .replaceAll(/\$\{userHome\}/g, () => home)
      .replaceAll(/\$\{pathSeparator\}|\$\{\/\}/g, "/");
}

/** `github-token` -> `GITHUB_TOKEN`. */
export function variableName(text: string): string {
  const name = text.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
  return /^[A-Z_]/.test(name) ? name : `_${name}`;
}

function at(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

function readIfThere(file: string, problems: string[]): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR") problems.push(`${file} cannot be read: ${message}`);
    return undefined;
  }
}

/** Is an MCP server of Claude Code a toolgate? By what the person has set up, never by what the server says of itself. */
import { readFileSync } from "node:fs";
import { basename, isAbsolute } from "node:path";
import type { HookInput } from "./read-hook-input.ts";

export interface ServerPlaces {
  readonly serversFile: string;
  readonly addressFile: string;
  readonly projectDir: string | undefined;
}

type Loose = Readonly<Record<string, unknown>>;

/** Only of the user's own settings: what a repository brings along may call itself as it likes. */
export function isOwnServer(
  { name, source }: NonNullable<HookInput["server"]>,
  { serversFile, addressFile, projectDir }: ServerPlaces,
): boolean {
  if (source !== "user" && source !== "local") return false;
  const settings = readObject(serversFile);
  const holder = source === "user" ? settings : memberOf(memberOf(settings, "projects"), projectDir ?? "");
  const server = memberOf(memberOf(holder, "mcpServers"), name);
  if (server === undefined) return false;
  return typeof server.url === "string" ? isOwnUrl(server.url, addressFile) : startsToolgate(server);
}

/** `toolgate mcp`, `npx toolgate mcp`, `/path/to/node /path/to/dist/cli.js mcp`. */
function startsToolgate({ command, args = [] }: Loose): boolean {
  const words = [command, ...(Array.isArray(args) ? args : [undefined])];
  if (!words.every((word) => typeof word === "string")) return false;
  const at = words.findIndex((word) => isOwnProgram(word));
  return at !== -1 && words[at + 1] === "mcp";
}

/** A relative path would be the repository's. */
function isOwnProgram(word: string): boolean {
  if (word === "toolgate") return true;
  return isAbsolute(word) && (basename(word) === "toolgate" || /[\\/]dist[\\/]cli\.js$/.test(word));
}

/** The server that wrote the file for the hook's script: `toolgate-hook 2 HOST PORT ...`. */
function isOwnUrl(url: string, addressFile: string): boolean {
  const [, , host, port] = readText(addressFile)?.split(" ") ?? [];
  const given = URL.canParse(url) ? new URL(url) : undefined;
  if (given === undefined || host === undefined || port === undefined) return false;
  const shown = host === "::1" ? "[::1]" : host;
  const isHere = given.hostname === shown || (given.hostname === "localhost" && host === "127.0.0.1");
  return given.protocol === "http:" && isHere && given.port === port && given.pathname === "/mcp";
}

function readObject(file: string): Loose | undefined {
  try {
    return asObject(JSON.parse(readText(file) ?? ""));
  } catch {
    return undefined;
  }
}

function memberOf(value: Loose | undefined, key: string): Loose | undefined {
  return value !== undefined && Object.hasOwn(value, key) ? asObject(value[key]) : undefined;
}

function asObject(value: unknown): Loose | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Loose) : undefined;
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** Is an MCP server in an agent's settings a toolgate? The settings say it, never the server itself. */
import { readFileSync } from "node:fs";
import { basename, isAbsolute } from "node:path";
import { isRecord } from "../../core/input/json.ts";

/** `addressFile`: where a running toolgate says how it is reached. */
export function isToolgateServer(server: unknown, addressFile: string): boolean {
  if (!isRecord(server)) return false;
  const { url, command, args = [] } = server;
  return typeof url === "string" ? isOwnUrl(url, addressFile) : startsToolgate(command, args);
}

/** `toolgate mcp`, `npx toolgate mcp`, `/path/to/node /path/to/dist/cli.js mcp`. */
function startsToolgate(command: unknown, args: unknown): boolean {
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
  const [, , host, port] = readText(addressFile).split(" ");
  const given = URL.canParse(url) ? new URL(url) : undefined;
  if (given === undefined || host === undefined || port === undefined) return false;
  const shown = host === "::1" ? "[::1]" : host;
  const isHere = given.hostname === shown || (given.hostname === "localhost" && host === "127.0.0.1");
  return given.protocol === "http:" && isHere && given.port === port && given.pathname === "/mcp";
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Is an MCP server of another program toolgate itself, by its command or its address? */
import { readFileSync } from "node:fs";
import type { OpenConfig } from "../../../../open/open-config.ts";
import { hookAddressFile } from "../../../hook/process/find-place.ts";
import { isLoopback } from "../../../http/check-origin.ts";
import { defaultPort } from "../../../serve/server-settings.ts";

export interface OwnAddresses {
  /** The ports that `toolgate serve` listens on here, or would. */
  readonly ports: readonly string[];
  /** Other names of the server: `gate.example.com` or `gate.example.com:8443`. */
  readonly hosts: readonly string[];
}

export function ownAddresses({ settings, folders }: Pick<OpenConfig, "settings" | "folders">): OwnAddresses {
  const { port = defaultPort, hosts = [] } = settings.server ?? {};
  return { ports: [String(port), ...runningPort(folders.state)], hosts };
}

export interface StartedOrReached {
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly url?: string | undefined;
}

/** A gate that calls itself would ask and answer in circles. */
export function isToolgate({ command, args = [], url }: StartedOrReached, own: OwnAddresses): boolean {
  if (url !== undefined) return isOwnAddress(url, own);
  // Also inside `sh -c "toolgate mcp"`.
  const words = [command ?? "", ...args].flatMap((word) => word.split(/\s+/)).filter((word) => word !== "");
  return words.some((word, index) => isProgram(word) && wordAfter(words, index) === "mcp");
}

/** By its name, as a package with or without a version, or as the file that the name stands for. */
function isProgram(word: string): boolean {
  return /(?:^|[\\/])toolgate(?:@[^\\/]+)?(?:\.(?:[cm]?js|cmd|exe|ps1))?$/i.test(word) || isOwnFile(word);
}

function isOwnFile(word: string): boolean {
  const folder = /^(.+)[\\/]dist[\\/]cli(?:[\\/]start)?\.js$/.exec(word)?.[1];
  if (folder === undefined) return false;
  try {
    return (
      (JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as { name?: unknown }).name === "toolgate"
    );
  } catch {
    return false;
  }
}

function wordAfter(words: readonly string[], index: number): string | undefined {
  return words.slice(index + 1).find((word) => !word.startsWith("-"));
}

function isOwnAddress(url: string, { ports, hosts }: OwnAddresses): boolean {
  const address = URL.parse(url);
  if (address === null || !/^\/mcp\/?$/.test(address.pathname)) return false;
  const { host, hostname, protocol } = address;
  if (hosts.includes(host) || hosts.includes(hostname)) return true;
  const port = address.port || (protocol === "https:" ? "443" : "80");
  const name = hostname.replace(/^\[|\]$/g, "");
  return (isLoopback(name) || name === "0.0.0.0" || name === "::") && ports.includes(port);
}

/** A server that runs may have been given another port than the configuration says. */
function runningPort(state: string): string[] {
  try {
    const [, , , port] = readFileSync(hookAddressFile(state), "utf8").split(" ");
    return port !== undefined && /^\d+$/.test(port) ? [port] : [];
  } catch {
    return [];
  }
}

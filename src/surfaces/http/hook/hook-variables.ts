/** The folder and the variables of the process that asks, which decide which rules hold: the script sends them as headers. */
import { isUtf8 } from "node:buffer";
import { type Environment, findFolders } from "../../../config/folders.ts";

/** In the script's own list, too; a test compares them with what loading reads. */
export const sentVariables = [
  "HOME",
  "XDG_CONFIG_HOME",
  "XDG_STATE_HOME",
  "TOOLGATE_ROUTES",
  "CLAUDE_CONFIG_DIR",
  "CLAUDE_CODE_PLUGIN_CACHE_DIR",
  "CLAUDE_PLUGIN_ROOT",
  "CLAUDE_PROJECT_DIR",
] as const;

export interface SentPlace {
  readonly cwd: string;
  readonly env: Environment;
}

/** Undefined: something in them cannot be taken as it was meant. */
export function readSentPlace(header: (name: string) => string | undefined): SentPlace | undefined {
  const env: Record<string, string> = {};
  for (const name of sentVariables) {
    const sent = header(headerOf(name));
    if (sent === undefined) continue;
    const value = unquote(sent);
    if (value === undefined) return undefined;
    env[name] = value;
  }
  const cwd = unquote(header(headerOf("PWD")) ?? "");
  return cwd?.startsWith("/") === true ? { cwd, env } : undefined;
}

/** Rules of another home, or records for another state folder, are not for this server to find. */
export function isSameHome(one: Environment, other: Environment): boolean {
  const [here, there] = [findFolders(one), findFolders(other)];
  return here.home === there.home && here.config === there.config && here.state === there.state;
}

/** In quotes, because blanks at the ends of a header are lost; as bytes, because Node takes headers for Latin-1. */
function unquote(sent: string): string | undefined {
  if (sent.length < 2 || !sent.startsWith('"') || !sent.endsWith('"')) return undefined;
  const bytes = Buffer.from(sent.slice(1, -1), "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

function headerOf(name: string): string {
  return `toolgate-var-${name.toLowerCase()}`;
}

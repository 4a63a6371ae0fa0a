/** What the script sends besides the call: its own folder and the variables that decide which rules hold, in one header. */
import { isUtf8 } from "node:buffer";
import { type Environment, findFolders } from "../../../config/folders.ts";

/** In the script's own list, too; a test compares them with what loading reads. */
export const sentVariables: readonly string[] = [
  "HOME",
  "XDG_CONFIG_HOME",
  "XDG_STATE_HOME",
  "TOOLGATE_ROUTES",
  "CLAUDE_CONFIG_DIR",
  "CLAUDE_CODE_PLUGIN_CACHE_DIR",
  "CLAUDE_PLUGIN_ROOT",
  "CLAUDE_PROJECT_DIR",
];

export interface ScriptCall {
  /** Named in the answer: it is for this request and no other. */
  readonly nonce: string;
  readonly waitSeconds: number;
  readonly cwd: string;
  readonly env: Environment;
}

/**
 * `nonce TAB seconds TAB PWD=... TAB NAME=... TAB .`: the dot, because blanks at the end of a header are lost. Undefined: something in it
 * cannot be taken as it was meant.
 */
export function readScriptCall(header: string): ScriptCall | undefined {
  // Node takes headers for Latin-1.
  const bytes = Buffer.from(header, "latin1");
  if (!isUtf8(bytes)) return undefined;
  const fields = bytes.toString("utf8").split("\t");
  const [nonce = "", seconds = "", ...variables] = fields;
  if (variables.pop() !== "." || !/^[\d.]{1,64}$/.test(nonce) || !/^\d{1,5}$/.test(seconds)) return undefined;
  const env: Record<string, string> = {};
  for (const variable of variables) {
    const at = variable.indexOf("=");
    const name = variable.slice(0, at);
    if (at === -1 || Object.hasOwn(env, name) || !(name === "PWD" || sentVariables.includes(name)))
      return undefined;
    env[name] = variable.slice(at + 1);
  }
  const { PWD: cwd, ...rest } = env;
  return cwd?.startsWith("/") === true ? { nonce, waitSeconds: Number(seconds), cwd, env: rest } : undefined;
}

/** Rules of another home, or records for another state folder, are not for this server to find. */
export function isSameHome(one: Environment, other: Environment): boolean {
  const [here, there] = [findFolders(one), findFolders(other)];
  return here.home === there.home && here.config === there.config && here.state === there.state;
}

/** What the script sends behind the call: its own folder, and the variables that decide which rules hold. */
import { isUtf8 } from "node:buffer";
import { promptVariables } from "../../../agents/all-agents.ts";
import { type Environment, findFolders } from "../../../config/folders.ts";
import { placeVariables } from "../process/find-place.ts";

export interface ScriptCall {
  /** Named in the answer: it is for this request and no other. */
  readonly nonce: string;
  readonly waitSeconds: number;
  readonly cwd: string;
  readonly env: Environment;
}

/** The header: `nonce TAB seconds TAB .`. Nothing about the call: the script does not know yet who we are. */
export function readScriptHead(
  header: string,
): { readonly nonce: string; readonly waitSeconds: number } | undefined {
  const [, nonce, seconds] = /^([\d.]{1,64})\t(\d{1,5})\t\.$/.exec(header) ?? [];
  return nonce === undefined ? undefined : { nonce, waitSeconds: Number(seconds) };
}

/**
 * The trailer: `PWD=... TAB NAME=... TAB .`, with a dot because blanks at the end of a header are lost.
 * Undefined: something in it cannot be taken as it was meant.
 */
export function readScriptPlace(trailer: string): Pick<ScriptCall, "cwd" | "env"> | undefined {
  // Node takes headers for Latin-1.
  const bytes = Buffer.from(trailer, "latin1");
  if (!isUtf8(bytes)) return undefined;
  const variables = bytes.toString("utf8").split("\t");
  if (variables.pop() !== ".") return undefined;
  const env: Record<string, string> = {};
  for (const variable of variables) {
    const at = variable.indexOf("=");
    const name = variable.slice(0, at);
    if (at === -1 || Object.hasOwn(env, name) || !mayBeSent(name)) return undefined;
    env[name] = variable.slice(at + 1);
  }
  const { PWD: cwd, ...rest } = env;
  return cwd?.startsWith("/") === true ? { cwd, env: rest } : undefined;
}

function mayBeSent(name: string): boolean {
  return name === "PWD" || placeVariables.includes(name) || promptVariables.includes(name);
}

export function readScriptCall(header: string, trailer: string): ScriptCall | undefined {
  const head = readScriptHead(header);
  const place = readScriptPlace(trailer);
  return head === undefined || place === undefined ? undefined : { ...head, ...place };
}

/** Rules of another home, or records for another state folder, are not for this server to find. */
export function isSameHome(one: Environment, other: Environment): boolean {
  const [here, there] = [findFolders(one), findFolders(other)];
  return here.home === there.home && here.config === there.config && here.state === there.state;
}

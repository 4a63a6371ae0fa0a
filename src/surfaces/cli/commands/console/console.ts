/** `toolgate console`: a link into the console of the running server, for a person. */
import { findFolders } from "../../../../config/folders.ts";
import { openUrl } from "../../../../safe/net/open-url.ts";
import { rights } from "../../../http/rights.ts";
import { consoleRights } from "../../../http/tokens/console-login.ts";
import { makeLoginCode } from "../../../http/tokens/login-codes.ts";
import { findServer } from "../../../serve/announcement.ts";
import { explainForPeople } from "../../agent-around.ts";
import { type CliIo, exitCodes, fail, printJson } from "../../terminal/io.ts";
import { answererName } from "../approvals/who-answers.ts";

export interface ConsoleOptions {
  readonly admin?: boolean | undefined;
  readonly print?: boolean | undefined;
  readonly json?: boolean | undefined;
}

export async function runConsole({ admin, print, json }: ConsoleOptions, io: CliIo): Promise<number> {
  const refused = explainForPeople("who answers in the console", io);
  if (refused !== undefined) return fail(refused, io);
  const { state } = findFolders(io.env);
  const server = findServer(state);
  if (server === undefined)
    return fail("No server of this user runs. Start one in your project: toolgate serve", io);
  const link = makeConsoleLink(state, server.url, {
    admin: admin === true,
    isOpened: print !== true && json !== true,
  });
  if (json === true) return printJson(link, io);
  if (print !== true && (await openUrl(link.url, { privateFolder: state }))) {
    io.err(`The console opens in the browser: ${server.url}\n`);
    return exitCodes.ok;
  }
  if (print !== true) io.err("The browser could not be opened. This link is good for a minute, once:\n");
  io.out(`${link.url}\n`);
  return exitCodes.ok;
}

export interface ConsoleLink {
  readonly url: string;
  readonly rights: readonly string[];
  /** ISO time. */
  readonly expiresAt: string;
}

export interface LinkOptions {
  readonly admin?: boolean;
  /** A program is started with it, so other users see it in the list of processes. */
  readonly isOpened?: boolean;
}

export function makeConsoleLink(
  stateFolder: string,
  server: string,
  { admin = false, isOpened = false }: LinkOptions = {},
): ConsoleLink {
  const wish = { rights: admin ? rights : consoleRights, by: answererName(), ownUserOnly: isOpened };
  const { code, rights: held, expiresAt } = makeLoginCode(stateFolder, wish, Date.now());
  // The fragment is not sent, not logged, and in no Referer.
  const url = `${reachable(server)}/#k=${code}`;
  return { url, rights: held, expiresAt: new Date(expiresAt).toISOString() };
}

/** A server on every address of the machine is reached on this one. */
function reachable(server: string): string {
  return server.replace(/^(https?:\/\/)(?:0\.0\.0\.0|\[::\])(?=:)/, "$1127.0.0.1");
}

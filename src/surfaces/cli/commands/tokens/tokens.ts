/** `toolgate tokens`: gives out, lists and takes back the tokens of agents and people. */

import { resolve } from "node:path";
import { messageOf, ToolgateError } from "../../../../core/call/errors.ts";
import type { TokenRecord } from "../../../../core/ports/tokens.ts";
import { parseDuration } from "../../../../core/text/duration.ts";
import { shownName, visible } from "../../../../core/text/visible.ts";
import { openStoreParts } from "../../../../open/open-store.ts";
import { findStore } from "../../../../open/store/find-store.ts";
import { replacePrivateFile } from "../../../../safe/files/private-file.ts";
import { endSessionsOf } from "../../../../sessions/end-from-outside.ts";
import { isRight, type Right, rights } from "../../../http/rights.ts";
import { giveToken, revokeTokens, type TokenWish } from "../../../http/tokens/give-token.ts";
import { explainForPeople } from "../../agent-around.ts";
import { openOwnStore } from "../../open/own-store.ts";
import { changeOnRecord, recordTakenBack } from "../../open/record-change.ts";
import { namesIn } from "../../open/tool-options.ts";
import { type CliIo, exitCodes, printJson } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { makeFolderOf } from "../../terminal/save-file.ts";
import { answererName } from "../approvals/who-answers.ts";

interface TokensCreateOptions {
  readonly name: string;
  readonly rights: string;
  readonly expires?: string | undefined;
  readonly capabilities?: string | undefined;
  readonly replace?: boolean | undefined;
  readonly out?: string | undefined;
  readonly json?: boolean | undefined;
}

export async function runTokensCreate(options: TokensCreateOptions, io: CliIo): Promise<number> {
  refuseAgent(io);
  const wish: TokenWish = {
    name: options.name,
    rights: readRights(options.rights),
    capabilities: options.capabilities === undefined ? undefined : namesIn(options.capabilities),
    expiresInMs: options.expires === undefined ? undefined : readDuration(options.expires),
    replace: options.replace,
  };
  const file = options.out === undefined ? undefined : resolve(io.cwd, options.out);
  // First: a token that could not be written anywhere would be good for nobody.
  if (file !== undefined) io.err(makeFolderOf(file, io.cwd));
  await using parts = await partsOf(io);
  const { token, record } = await changeOnRecord(io, async () => {
    const given = await giveToken(parts.tokens, wish);
    const { sha256: _, ...about } = given.record;
    const message = `gives out the token ${describe(given.record)}.`;
    return { result: given, changes: [{ code: "token_created", message, about: { ...about } }] };
  });
  if (file !== undefined) replacePrivateFile(file, `${token}\n`);
  const where = file === undefined ? { token } : { file };
  if (options.json === true) return printJson({ ...shownRecord(record), ...where }, io);
  const told =
    file === undefined
      ? "It is shown once and kept nowhere:"
      : `The token is in ${file}, which only you can read.`;
  io.err(`${describe(record)}\n${told}\n`);
  // Only the token on standard output: it can be piped to where it is needed.
  if (file === undefined) io.out(`${token}\n`);
  return exitCodes.ok;
}

export async function runTokensList(options: { readonly json?: boolean }, io: CliIo): Promise<number> {
  await using parts = await partsOf(io);
  const list = await parts.tokens.list();
  if (!list.ok) throw new ToolgateError(list.message);
  if (options.json === true) printJson({ tokens: list.tokens.map(shownRecord) }, io);
  else if (list.tokens.length === 0)
    io.out(
      asTyped("No tokens besides the owner's own. Make one: toolgate tokens create NAME --rights call\n", io),
    );
  else io.out(`${list.tokens.map(describe).join("\n")}\n`);
  return exitCodes.ok;
}

export async function runTokensRevoke(
  options: { readonly names: readonly string[]; readonly json?: boolean },
  io: CliIo,
): Promise<number> {
  refuseAgent(io);
  await using parts = await partsOf(io);
  const gone = (await revokeTokens(parts.tokens, options.names)).map(({ name }) => name);
  await recordTakenBack(
    gone.map((name) => ({ code: "token_revoked", message: `revokes the token ${name}.`, about: { name } })),
    io,
  );
  const ended = await endTheirSessions(gone, io);
  const missing = options.names.filter((name) => !gone.includes(name));
  if (options.json === true) printJson({ revoked: gone, unknown: missing }, io);
  else for (const name of gone) io.out(`${visible(name)} is revoked: it is refused from now on.\n`);
  for (const id of ended) io.err(`Session ${id} ends: it was started with a token that is revoked.\n`);
  for (const name of missing)
    io.err(
      asTyped(`There is no token ${shownName(name)}; toolgate tokens list shows those there are.\n`, io),
    );
  return missing.length === 0 ? exitCodes.ok : exitCodes.failed;
}

/** Agents that were started with these tokens work with their rights. */
async function endTheirSessions(names: readonly string[], io: CliIo): Promise<readonly string[]> {
  if (names.length === 0) return [];
  try {
    await using store = await openOwnStore(io);
    const ended = names.map((name) => endSessionsOf(store.sessions, name, answererName()));
    return (await Promise.all(ended)).flat();
  } catch (error) {
    throw new ToolgateError(`It is done, but sessions of these tokens may go on: ${messageOf(error)}`);
  }
}

/** A token with the right to approve would be a yes of the agent to itself. */
function refuseAgent(io: CliIo): void {
  const refused = explainForPeople("who gets a token", io);
  if (refused !== undefined) throw new ToolgateError(refused);
}

async function partsOf(io: CliIo) {
  return openStoreParts(await findStore(io.env));
}

function readRights(text: string): Right[] {
  return namesIn(text).map((name) => {
    if (!isRight(name))
      throw new ToolgateError(`There is no right ${shownName(name)}; there are ${rights.join(", ")}.`);
    return name;
  });
}

function readDuration(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new ToolgateError(`${shownName(text)} is no time: write 90m, 12h, 30d or 8w.`);
  return ms;
}

function shownRecord({
  sha256: _,
  ...shown
}: TokenRecord): Omit<TokenRecord, "sha256"> & { expired: boolean } {
  return { ...shown, expired: isExpired(shown) };
}

function isExpired({ expiresAt }: Pick<TokenRecord, "expiresAt">): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
}

function describe(record: TokenRecord): string {
  const { name, rights: held, capabilities, createdAt, expiresAt } = record;
  const until =
    expiresAt === undefined
      ? "does not expire"
      : `${isExpired(record) ? "expired" : "expires"} ${expiresAt.slice(0, 16).replace("T", " ")} UTC`;
  const uses = capabilities.includes("*") ? "" : `, uses ${capabilities.join(", ")}`;
  return `${visible(name)}: ${held.join(", ")}${uses}; made ${createdAt.slice(0, 10)}, ${until}`;
}

/** The token of the owner of the state folder: made at the first start, in a private file. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ToolgateError } from "../../../core/call/errors.ts";
import { type Right, rights, type TokenRecord } from "../../../core/ports/tokens.ts";
import { createPrivateFile } from "../../../safe/files/private-file.ts";
import { hashToken, isTokenText, makeToken } from "./give-token.ts";

export function ownerTokenFile(stateFolder: string): string {
  return join(stateFolder, "token");
}

export interface FileToken {
  readonly name: string;
  readonly rights?: readonly Right[];
  readonly capabilities?: readonly string[];
}

/** Makes the file if it is not there. Throws if what is there cannot be a secret. */
export function openTokenFile(
  file: string,
  { name, rights: held = rights, capabilities = ["*"] }: FileToken,
): TokenRecord {
  createPrivateFileUnlessThere(file);
  const stats = statSync(file);
  if (!stats.isFile()) throw new ToolgateError(`${file} is not a file; a token would be in it.`);
  if (process.platform !== "win32" && (stats.mode & 0o077) !== 0)
    throw new ToolgateError(
      `Others can read the token in ${file}. Remove it, so that a new one is made, or run: chmod 600 ${file}`,
    );
  const token = readFileSync(file, "utf8").trim();
  if (!isTokenText(token))
    throw new ToolgateError(`${file} does not hold a token. Remove it, so that a new one is made.`);
  return {
    name,
    rights: held,
    capabilities,
    sha256: hashToken(token),
    createdAt: stats.mtime.toISOString(),
  };
}

function createPrivateFileUnlessThere(file: string): void {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) createPrivateFile(file, `${makeToken()}\n`);
}

/** The list of tokens in a private file, which is replaced as a whole. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf, ToolgateError } from "../../core/call/errors.ts";
import { isRight, type TokenList, type TokenRecord, type TokenStore } from "../../core/ports/tokens.ts";
import { withFileLock } from "../../safe/files/file-lock.ts";
import { replacePrivateFile } from "../../safe/files/private-file.ts";

export function createFileTokens(stateFolder: string): TokenStore {
  const file = join(stateFolder, "tokens.json");
  let known: { readonly identity: string; readonly list: TokenList } | undefined;
  const list = (): TokenList => {
    const { identity, mode, problem } = look(file);
    if (known?.identity !== identity)
      known = { identity, list: problem === undefined ? read(file, mode) : unreadable(file, problem) };
    return known.list;
  };
  return {
    list,
    change: (change) =>
      withFileLock(`${file}.lock`, () => {
        const now = list();
        if (!now.ok) throw new ToolgateError(now.message);
        const { tokens, result } = change(now.tokens);
        if (tokens !== now.tokens)
          replacePrivateFile(file, `${JSON.stringify({ version: 1, tokens }, null, 2)}\n`);
        return result;
      }),
  };
}

interface Look {
  /** Another one with every change: the file is replaced as a whole. */
  readonly identity: string;
  /** Undefined: there is no file. */
  readonly mode?: number;
  readonly problem?: string;
}

function look(file: string): Look {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return { identity: "" };
    const { ino, mtimeMs, ctimeMs, size, mode } = stats;
    return { identity: `${ino} ${mtimeMs} ${ctimeMs} ${size} ${mode}`, mode };
  } catch (error) {
    return { identity: messageOf(error), problem: messageOf(error) };
  }
}

function read(file: string, mode: number | undefined): TokenList {
  if (mode === undefined) return { ok: true, tokens: [] };
  // Whoever can write the list can give themselves any right.
  if (process.platform !== "win32" && (mode & 0o022) !== 0)
    return unreadable(file, `others can write it; look at it, then run: chmod 600 ${file}`);
  try {
    const { tokens } = JSON.parse(readFileSync(file, "utf8")) as { tokens: unknown };
    if (Array.isArray(tokens) && tokens.every(isTokenRecord)) return { ok: true, tokens };
    return unreadable(file, "it does not hold a list of tokens");
  } catch (error) {
    return unreadable(file, messageOf(error));
  }
}

function unreadable(file: string, why: string): TokenList {
  return { ok: false, tokens: [], message: `${file} cannot be used, so no token counts: ${why}` };
}

function isTokenRecord(value: unknown): value is TokenRecord {
  const { name, rights, capabilities, sha256, createdAt, expiresAt } = (value ?? {}) as Record<
    string,
    unknown
  >;
  return (
    typeof name === "string" &&
    Array.isArray(rights) &&
    rights.every(isRight) &&
    Array.isArray(capabilities) &&
    capabilities.every((one) => typeof one === "string") &&
    typeof sha256 === "string" &&
    /^[0-9a-f]{64}$/.test(sha256) &&
    typeof createdAt === "string" &&
    // A time that cannot be read must not mean "never".
    (expiresAt === undefined || (typeof expiresAt === "string" && !Number.isNaN(Date.parse(expiresAt))))
  );
}

/** The list of tokens: who holds one, what it allows, until when. Of the tokens themselves it keeps only hashes. */
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ToolgateError } from "../../../core/call/errors.ts";
import { createPrivateFile, replacePrivateFile } from "../../../safe/files/private-file.ts";
import { isRight, type Right } from "../rights.ts";

export interface TokenRecord {
  /** The principal of every call made with it. */
  readonly name: string;
  readonly rights: readonly Right[];
  /** What its calls may use; `*`: everything that rules allow. */
  readonly capabilities: readonly string[];
  /** Of the token, in hexadecimal. */
  readonly sha256: string;
  /** ISO times. */
  readonly createdAt: string;
  readonly expiresAt?: string;
}

export type TokenList =
  | { readonly ok: true; readonly tokens: readonly TokenRecord[] }
  /** No token counts while the list cannot be read. */
  | { readonly ok: false; readonly tokens: readonly []; readonly message: string };

export function tokensFile(stateFolder: string): string {
  return join(stateFolder, "tokens.json");
}

export function readTokens(stateFolder: string): TokenList {
  const file = tokensFile(stateFolder);
  const unreadable = (why: string): TokenList => ({
    ok: false,
    tokens: [],
    message: `${file} cannot be used, so no token counts: ${why}`,
  });
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return { ok: true, tokens: [] };
    // Whoever can write the list can give themselves any right.
    if (process.platform !== "win32" && (stats.mode & 0o022) !== 0)
      return unreadable(`others can write it; look at it, then run: chmod 600 ${file}`);
    const { tokens } = JSON.parse(readFileSync(file, "utf8")) as { tokens: unknown };
    if (Array.isArray(tokens) && tokens.every(isTokenRecord)) return { ok: true, tokens };
    return unreadable("it does not hold a list of tokens");
  } catch (error) {
    return unreadable((error as Error).message);
  }
}

/** One change after the other, also between processes. Throws if the list cannot be read: it would be lost. */
export async function changeTokens<Result>(
  stateFolder: string,
  change: (tokens: readonly TokenRecord[]) => {
    readonly tokens: readonly TokenRecord[];
    readonly result: Result;
  },
): Promise<Result> {
  const lock = `${tokensFile(stateFolder)}.lock`;
  await takeLock(lock);
  try {
    const list = readTokens(stateFolder);
    if (!list.ok) throw new ToolgateError(list.message);
    const { tokens, result } = change(list.tokens);
    if (tokens !== list.tokens)
      replacePrivateFile(tokensFile(stateFolder), `${JSON.stringify({ version: 1, tokens }, null, 2)}\n`);
    return result;
  } finally {
    rmSync(lock, { force: true });
  }
}

const lockTries = 200;
/** A change takes a millisecond: whoever holds it so long is dead. */
const staleLockMs = 10_000;

async function takeLock(lock: string): Promise<void> {
  for (let attempt = 0; attempt < lockTries; attempt++) {
    if (createPrivateFile(lock, String(process.pid))) return;
    const heldSince = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
    if (heldSince !== undefined && Date.now() - heldSince > staleLockMs) rmSync(lock, { force: true });
    else await sleep(10);
  }
  throw new ToolgateError(
    `The list of tokens is being changed by another process. If none runs, remove ${lock}.`,
  );
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

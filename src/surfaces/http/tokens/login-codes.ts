/**
 * Codes by which a person's browser comes in: 128 bits, for one login within a minute. Of a code only its hash is
 * kept, as the name of a private file of the state folder. Whoever can write there has the owner's token anyway.
 */
import { hash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../../core/input/json.ts";
import { isRight, type Right } from "../../../core/ports/tokens.ts";
import { quietly } from "../../../core/run/quietly.ts";
import { createPrivateFile } from "../../../safe/files/private-file.ts";

const codeLifeMs = 60_000;
/** So long it is known what became of a code. */
const rememberedMs = 15 * 60_000;

export interface CodeWish {
  readonly rights: readonly Right[];
  /** Who lets somebody in, for the record. */
  readonly by: string;
  /** The link stands on a command line, which every user of the machine can read: others cannot use it. */
  readonly ownUserOnly?: boolean | undefined;
}

export interface LoginCode extends CodeWish {
  readonly code: string;
  readonly expiresAt: number;
}

export type TakenCode =
  | ({ readonly ok: true } & CodeWish)
  | { readonly ok: false; readonly why: "unknown" | "used" | "expired" };

export function makeLoginCode(
  stateFolder: string,
  { rights, by, ownUserOnly }: CodeWish,
  now: number,
): LoginCode {
  const folder = codesFolder(stateFolder);
  for (const name of quietly(() => readdirSync(folder)) ?? []) {
    const file = join(folder, name);
    const made = quietly(() => statSync(file).mtimeMs) ?? now;
    if (now - made > rememberedMs) rmSync(file, { force: true });
  }
  const code = randomBytes(16).toString("base64url");
  const expiresAt = now + codeLifeMs;
  createPrivateFile(fileOf(stateFolder, code), JSON.stringify({ rights, by, ownUserOnly, expiresAt }));
  return { code, rights, by, expiresAt };
}

/** Fine once for each code, whichever process of the state folder is asked. `isForeign`: another user brings it. */
export function takeLoginCode(
  stateFolder: string,
  code: string,
  now: number,
  isForeign: () => boolean = () => false,
): TakenCode {
  const file = fileOf(stateFolder, code);
  const used = `${file}.used`;
  const found = quietly(() => readFileSync(file, "utf8"));
  if (found === undefined) {
    const wasTaken = statSync(used, { throwIfNoEntry: false }) !== undefined;
    return { ok: false, why: wasTaken ? "used" : "unknown" };
  }
  const wish = readWish(found);
  if (wish === undefined) return { ok: false, why: "unknown" };
  if (now >= wish.expiresAt) return { ok: false, why: "expired" };
  // Not used up by it: the person's own browser is still to come.
  if (wish.ownUserOnly === true && isForeign()) return { ok: false, why: "unknown" };
  try {
    // Of several that try at once, one has the file.
    renameSync(file, used);
  } catch {
    return { ok: false, why: "used" };
  }
  return { ok: true, rights: wish.rights, by: wish.by };
}

function codesFolder(stateFolder: string): string {
  return join(stateFolder, "login-codes");
}

/** By the hash: nothing of what a stranger sends becomes a path. */
function fileOf(stateFolder: string, code: string): string {
  return join(codesFolder(stateFolder), hash("sha256", code, "hex"));
}

function readWish(text: string): (CodeWish & { readonly expiresAt: number }) | undefined {
  const read: unknown = quietly(() => JSON.parse(text));
  if (!isRecord(read)) return undefined;
  const { rights, by, expiresAt, ownUserOnly } = read;
  const isWish = Array.isArray(rights) && rights.every(isRight) && typeof by === "string";
  return isWish && typeof expiresAt === "number"
    ? { rights, by, expiresAt, ownUserOnly: ownUserOnly === true }
    : undefined;
}

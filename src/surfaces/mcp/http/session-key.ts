/** The key that seals the ids of sessions: a file of the state folder that only its owner can read. */
import { createHmac, randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "../../../open/open-store.ts";
import { createPrivateFile, replacePrivateFile } from "../../../safe/files/private-file.ts";

/** Known to all processes of a store that several machines share; else of the folder. */
export function sessionKeyOf({ sharedSecret }: Pick<Store, "sharedSecret">, stateFolder: string): Uint8Array {
  return sharedSecret === undefined
    ? openSessionKey(stateFolder)
    : createHmac("sha256", sharedSecret).update("mcp session ids").digest();
}

/** A file that others could read, or with other content, is replaced: clients then begin new sessions. */
export function openSessionKey(stateFolder: string): Buffer {
  const file = join(stateFolder, "mcp-session.key");
  createPrivateFileUnlessThere(file);
  const stats = statSync(file, { throwIfNoEntry: false });
  const isPrivate = stats?.isFile() === true && (process.platform === "win32" || (stats.mode & 0o077) === 0);
  const key = isPrivate ? Buffer.from(readFileSync(file, "utf8").trim(), "base64url") : Buffer.alloc(0);
  if (key.length === keyBytes) return key;
  const made = randomBytes(keyBytes);
  replacePrivateFile(file, `${made.toString("base64url")}\n`);
  return made;
}

const keyBytes = 32;

function createPrivateFileUnlessThere(file: string): void {
  if (statSync(file, { throwIfNoEntry: false }) === undefined)
    createPrivateFile(file, `${randomBytes(keyBytes).toString("base64url")}\n`);
}

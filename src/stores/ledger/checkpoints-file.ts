/** Signed checkpoints and their key: files, so that whoever changes only the database is found out. */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../core/call/errors.ts";
import { type Checkpoint, hashLine, signCheckpoint, toPrivateKey, toPublicKey } from "./checkpoint.ts";

export function checkpointsFile(stateFolder: string): string {
  return join(stateFolder, "checkpoints.jsonl");
}

export function keyFiles(stateFolder: string): { readonly secret: string; readonly public: string } {
  const folder = join(stateFolder, "keys");
  return { secret: join(folder, "ledger.pem"), public: join(folder, "ledger.pub.pem") };
}

export interface SigningOptions {
  readonly sync: boolean;
  readonly wasSigned: boolean;
  /** Throws where the state folder is no longer the one of this ledger. */
  readonly checkPlace: () => void;
}

/** Only while the database's write lock is held: the second to sign must see the line of the first. */
export function addCheckpoint(
  stateFolder: string,
  checkpoint: Omit<Checkpoint, "before">,
  { sync, wasSigned, checkPlace }: SigningOptions,
): void {
  checkPlace();
  const key = signingKey(stateFolder);
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
  const fd = openSync(checkpointsFile(stateFolder), flags, 0o600);
  try {
    // Once more: what was opened must not be the file of somebody else's new folder.
    checkPlace();
    const { size } = fstatSync(fd);
    const { last, torn } = readEnd(fd, size);
    // What a process that died left of a line was never a checkpoint.
    if (torn > 0) ftruncateSync(fd, size - torn);
    // After a file was deleted, the next checkpoint says that what stood before is missing.
    const before = last !== "" ? hashLine(last) : wasSigned ? "missing" : "";
    const line = signCheckpoint({ ...checkpoint, before }, key);
    const bytes = Buffer.from(`${line}\n`);
    if (writeSync(fd, bytes) !== bytes.length) throw new Error("the disk took only a part of the checkpoint");
    if (sync) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The last whole line, and how many bytes of an unfinished one follow it. */
function readEnd(fd: number, size: number): { readonly last: string; readonly torn: number } {
  const length = Math.min(size, longestEnd);
  const bytes = Buffer.alloc(length);
  readSync(fd, bytes, 0, length, size - length);
  const text = bytes.toString("latin1");
  const end = text.lastIndexOf("\n");
  return { last: text.slice(text.lastIndexOf("\n", end - 1) + 1, Math.max(0, end)), torn: length - end - 1 };
}

const longestEnd = 8_192;

export function readCheckpointLines(stateFolder: string): string[] {
  const text = readIfThere(checkpointsFile(stateFolder)) ?? "";
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "");
}

export function readPublicKey(
  stateFolder: string,
): { readonly pem: string; readonly key: KeyObject } | undefined {
  const pem = readIfThere(keyFiles(stateFolder).public);
  return pem === undefined ? undefined : { pem, key: toPublicKey(pem) };
}

/** Why nothing can be signed any more; a key that is not there yet is made at the first need. */
export function explainUnusableKey(stateFolder: string): string | undefined {
  const { secret } = keyFiles(stateFolder);
  try {
    const pem = readIfThere(secret);
    if (pem !== undefined) toPrivateKey(pem);
    return pem === undefined && isLost(stateFolder)
      ? `New rows are not signed, because ${explainLost(stateFolder)}`
      : undefined;
  } catch (error) {
    return `New rows are not signed, because ${secret} cannot be used: ${messageOf(error)}. Put a copy of it back.`;
  }
}

/** A new key in its place would take its public half with it, and nobody could verify what it had signed. */
function isLost(stateFolder: string): boolean {
  return (
    readIfThere(keyFiles(stateFolder).public) !== undefined && readCheckpointLines(stateFolder).length > 0
  );
}

function explainLost(stateFolder: string): string {
  const files = keyFiles(stateFolder);
  return `${files.secret} is gone. Put a copy of it back. If there is none, move ${files.public} and ${checkpointsFile(stateFolder)} away together and keep them: they verify what was signed so far, and a new key is made.`;
}

/** Made at the first need, private to its owner. */
export function signingKey(stateFolder: string): KeyObject {
  const files = keyFiles(stateFolder);
  const known = readIfThere(files.secret);
  if (known !== undefined) return toPrivateKey(known);
  if (isLost(stateFolder)) throw new Error(explainLost(stateFolder));
  mkdirSync(join(stateFolder, "keys"), { recursive: true, mode: 0o700 });
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  // The secret last: a key that signs always has its public half beside it.
  writeFileSync(files.public, publicKey.export({ type: "spki", format: "pem" }), { mode: 0o600 });
  writeFileSync(files.secret, privateKey.export({ type: "pkcs8", format: "pem" }), {
    mode: 0o600,
    flag: "wx",
  });
  return privateKey;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

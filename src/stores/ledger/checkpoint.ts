/** Signed statements about the ledger: its number of rows and last hash, or where retention cut it. */

import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { canonicalJson } from "../../core/input/canonical-json.ts";
import type { JsonObject } from "../../core/input/json.ts";
import { parseLine } from "./parse-line.ts";

export interface Checkpoint {
  /** `cut`: rows up to `seq` were removed on purpose. */
  readonly kind: "checkpoint" | "cut";
  readonly ledger: string;
  readonly seq: number;
  readonly hash: string;
  readonly at: number;
  /** Hash of the line before, so that none can be taken out of the file's middle. */
  readonly before: string;
}

/** One line of JSON, without the line break. */
export function signCheckpoint(checkpoint: Checkpoint, privateKey: KeyObject): string {
  const statement = toStatement(checkpoint);
  const signature = sign(null, Buffer.from(canonicalJson(statement)), privateKey).toString("base64url");
  return canonicalJson({ ...statement, signature });
}

/** Undefined when it is not one, or the signature is by none of these keys. */
export function readCheckpoint(line: string, publicKeys: readonly KeyObject[]): Checkpoint | undefined {
  const parsed = parseLine(line);
  if (parsed === undefined) return undefined;
  const { signature, ...statement } = parsed;
  const { v, kind, ledger, seq, hash, at, before } = statement;
  const isForm =
    v === 1 &&
    (kind === "checkpoint" || kind === "cut") &&
    typeof ledger === "string" &&
    typeof seq === "number" &&
    typeof hash === "string" &&
    typeof at === "number" &&
    typeof before === "string" &&
    typeof signature === "string";
  if (!isForm) return undefined;
  const bytes = Buffer.from(canonicalJson(statement));
  const signed = Buffer.from(signature, "base64url");
  if (!publicKeys.some((key) => verify(null, bytes, key, signed))) return undefined;
  return { kind, ledger, seq, hash, at, before };
}

/** What the next line's `before` must be. */
export function hashLine(line: string): string {
  return createHash("sha256").update(line).digest("hex");
}

export function toPublicKey(pem: string): KeyObject {
  return ofEd25519(createPublicKey(pem));
}

/** A text may hold several, one below the other: each machine that shares a ledger has its own. */
export function toPublicKeys(pems: string): KeyObject[] {
  const parts = pems.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? [pems];
  return parts.map(toPublicKey);
}

export function toPrivateKey(pem: string): KeyObject {
  return ofEd25519(createPrivateKey(pem));
}

function ofEd25519(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== "ed25519") throw new TypeError("It is not an ed25519 key.");
  return key;
}

function toStatement({ kind, ledger, seq, hash, at, before }: Checkpoint): JsonObject {
  return { v: 1, kind, ledger, seq, hash, at, before };
}

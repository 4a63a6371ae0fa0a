/** Seals an edited input for the process that waits: the database never holds it in clear. */
import { Buffer } from "node:buffer";
import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";

/** What the waiting process keeps in its memory; it dies with it. */
export interface SealReader {
  /** Public; stored with the request. */
  readonly sealKey: string;
  /** Throws if it was not sealed for this reader and this approval, or was changed. */
  open(sealed: string, approvalId: string): unknown;
}

export function createSealReader(): SealReader {
  const { publicKey, privateKey } = generateKeyPairSync("x25519");
  const sealKey = exportKey(publicKey);
  return {
    sealKey,
    open(sealed, approvalId) {
      const [ephemeral = "", nonce = "", tag = "", body = ""] = sealed.split(".");
      const secret = diffieHellman({ privateKey, publicKey: importKey(ephemeral) });
      const cipher = createDecipheriv(
        "aes-256-gcm",
        keyFrom(secret, ephemeral, sealKey),
        Buffer.from(nonce, "base64url"),
        { authTagLength: 16 },
      );
      cipher.setAAD(Buffer.from(approvalId)).setAuthTag(Buffer.from(tag, "base64url"));
      const text = Buffer.concat([cipher.update(Buffer.from(body, "base64url")), cipher.final()]);
      return JSON.parse(text.toString("utf8"));
    },
  };
}

/** Bound to the approval: what was sealed for one cannot be put under another. */
export function sealInput(input: unknown, sealKey: string, approvalId: string): string {
  const { publicKey, privateKey } = generateKeyPairSync("x25519");
  const ephemeral = exportKey(publicKey);
  const secret = diffieHellman({ privateKey, publicKey: importKey(sealKey) });
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyFrom(secret, ephemeral, sealKey), nonce, {
    authTagLength: 16,
  });
  cipher.setAAD(Buffer.from(approvalId));
  const body = Buffer.concat([cipher.update(JSON.stringify(input), "utf8"), cipher.final()]);
  return [ephemeral, ...[nonce, cipher.getAuthTag(), body].map((part) => part.toString("base64url"))].join(
    ".",
  );
}

function keyFrom(secret: Buffer, ephemeral: string, sealKey: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, `${ephemeral}.${sealKey}`, "toolgate edited input", 32));
}

function exportKey(key: KeyObject): string {
  return key.export({ type: "spki", format: "der" }).toString("base64url");
}

function importKey(text: string): KeyObject {
  return createPublicKey({ key: Buffer.from(text, "base64url"), type: "spki", format: "der" });
}

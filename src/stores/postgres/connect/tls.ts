/** How a connection is encrypted. Over a network it is, and the server has to prove who it is, unless told otherwise. */
import { readFileSync } from "node:fs";
import type { ClientConfig } from "pg";
import { messageOf } from "../../../core/call/errors.ts";
import { StoreError } from "../../../core/ports/store-error.ts";

export interface TlsWish {
  readonly mode: string | undefined;
  /** Files. */
  readonly rootCertificate: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

const modes = ["disable", "require", "verify-ca", "verify-full"];
const here = new Set(["localhost", "127.0.0.1", "::1", "[::1]"]);

export function tlsOf(host: string, wish: TlsWish): NonNullable<ClientConfig["ssl"]> {
  const isHere = host.startsWith("/") || here.has(host);
  const mode = wish.mode ?? (isHere ? "disable" : "verify-full");
  if (!modes.includes(mode))
    throw new StoreError(
      "cannot_open",
      `sslmode of the store must be ${modes.join(", ")}, not "${mode}": what may or may not be encrypted is not offered.`,
    );
  if (mode === "disable") return false;
  const { rootCertificate, certificate, key } = wish;
  return {
    ...(rootCertificate !== undefined && { ca: read(rootCertificate) }),
    ...(certificate !== undefined && { cert: read(certificate) }),
    ...(key !== undefined && { key: read(key) }),
    // As libpq: "require" is encrypted, whoever answers, unless there is a root to compare with.
    rejectUnauthorized: mode !== "require" || rootCertificate !== undefined,
    ...(mode !== "verify-full" && { checkServerIdentity: () => undefined }),
  };
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new StoreError("cannot_open", `A certificate of the store cannot be read: ${messageOf(error)}`);
  }
}

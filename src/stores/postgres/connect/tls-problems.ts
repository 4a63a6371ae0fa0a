/** Both sides have to want an encrypted connection: neither the driver nor the server says how the other one is told. */
import type { SqlState } from "./sql-states.ts";

/** Undefined: it is something else. */
export function aboutTls(code: string, message: string): SqlState | undefined {
  if (/does not support SSL/i.test(message)) return withoutTls;
  // PostgreSQL, older ones, and what hosted ones say in their own words.
  if (/no encryption|SSL off|SSL connection is required|connection is insecure/i.test(message))
    return wantsTls;
  return /CERT|ISSUER|ALTNAME|UNABLE_TO_VERIFY/.test(code) ? strangeCertificate : undefined;
}

const withoutTls: SqlState = {
  problem: "cannot_open",
  text: "offers no encrypted connection, and toolgate wants one to another machine. Switch TLS on there (ssl = on); if nobody else can listen in between, add sslmode=disable to the URL.",
};
const wantsTls: SqlState = {
  problem: "cannot_open",
  text: "takes encrypted connections only: add sslmode=require to the URL, or sslmode=verify-full, with which it also has to prove who it is.",
};
const strangeCertificate: SqlState = {
  problem: "cannot_open",
  text: "has a certificate that cannot be verified. Name the root that signed it (ca, or sslrootcert in the URL); sslmode=require encrypts without asking who answers.",
};

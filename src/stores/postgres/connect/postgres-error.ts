/** What PostgreSQL and the network say, as a StoreError: one sentence that says what to do, and no password. */
import { messageOf } from "../../../core/call/errors.ts";
import { StoreError, type StoreProblem } from "../../../core/ports/store-error.ts";

/** The connection is gone, or there was none: the same statement may work on the next one. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof StoreError) return error.problem === "unavailable";
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === "string" && (networkCodes.has(code) || /^(08|57P0[1-4])/.test(code))) return true;
  return typeof message === "string" && lostTexts.some((text) => message.includes(text));
}

/** There was no connection: nothing of the statement has reached the database. */
export class UnsentError extends StoreError {}

export function isUnsent(error: unknown): boolean {
  return error instanceof UnsentError;
}

/** Somebody else was in the way: done again, it may work. */
export function isWorthRepeating(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === "40001" || code === "40P01";
}

export function isTakenTwice(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === "23505";
}

const networkCodes = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EHOSTUNREACH", "ENETUNREACH"],
  ...["EAI_AGAIN", "ENOENT", "53300"],
]);
/** The driver gives these no code. */
const lostTexts = [
  "Connection terminated",
  "Client has encountered a connection error",
  "timeout exceeded when trying to connect",
  "Query read timeout",
  "Client was closed",
  "the database system is",
];

export interface Place {
  readonly shown: string;
  readonly secrets: readonly string[];
}

export function toStoreError(error: unknown, place: Place): StoreError {
  if (error instanceof StoreError) return error;
  const message = withoutSecrets(messageOf(error), place);
  const { code } = error as { readonly code?: unknown };
  const known =
    aboutTls(String(code), message) ??
    (typeof code === "string" ? (byCode[code] ?? byClass[code.slice(0, 2)]) : undefined);
  if (known !== undefined)
    return new StoreError(known[0], `The store ${place.shown} ${known[1]} (${message})`);
  if (isConnectionLost(error)) return unavailable(place, message);
  return new StoreError("failed", `The store ${place.shown} failed: ${message}`);
}

export function unavailable(place: Place, why: string): StoreError {
  return new StoreError(
    "unavailable",
    `The database ${place.shown} cannot be reached: ${withoutSecrets(why, place)}. Nothing that writes or executes runs without a record. Try again: toolgate connects by itself when the database is back.`,
  );
}

type Known = readonly [problem: StoreProblem, text: string];

const full: Known = ["full", "is full. Free some space; nothing runs without a record."];
const byCode: Readonly<Record<string, Known>> = {
  "28P01": ["cannot_open", "refuses this user: the password is wrong."],
  "28000": [
    "cannot_open",
    "refuses this user from this machine; its pg_hba.conf says who may come, and how. If it takes encrypted connections only, add sslmode=require to the URL.",
  ],
  "3D000": ["cannot_open", "does not have this database. Create it: createdb NAME."],
  "42501": [
    "cannot_open",
    "does not give this user the rights that toolgate needs; docs/scale.md lists them.",
  ],
  "25006": ["read_only", "cannot be written: it is a copy that only reads. Connect to the primary server."],
  "42P01": ["corrupt", "lacks a table of toolgate: somebody removed it. Put a copy of the database back."],
  "57014": ["busy", "took too long and was stopped. Try again."],
};
/** Both sides have to want it: neither the driver nor the server says how the other one is told. */
function aboutTls(code: string, message: string): Known | undefined {
  if (/does not support SSL/i.test(message)) return withoutTls;
  // PostgreSQL, older ones, and what hosted ones say in their own words.
  if (/no encryption|SSL off|SSL connection is required|connection is insecure/i.test(message))
    return wantsTls;
  return /CERT|ISSUER|ALTNAME|UNABLE_TO_VERIFY/.test(code) ? strangeCertificate : undefined;
}

const withoutTls: Known = [
  "cannot_open",
  "offers no encrypted connection, and toolgate wants one to another machine. Switch TLS on there (ssl = on); if nobody else can listen in between, add sslmode=disable to the URL.",
];
const wantsTls: Known = [
  "cannot_open",
  "takes encrypted connections only: add sslmode=require to the URL, or sslmode=verify-full, with which it also has to prove who it is.",
];
const strangeCertificate: Known = [
  "cannot_open",
  "has a certificate that cannot be verified. Name the root that signed it (ca, or sslrootcert in the URL); sslmode=require encrypts without asking who answers.",
];

const byClass: Readonly<Record<string, Known>> = { "53": full };

function withoutSecrets(text: string, { secrets }: Place): string {
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, "[redacted]"), text);
}

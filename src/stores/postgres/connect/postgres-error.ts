/** What PostgreSQL and the network say, as a StoreError: one sentence that says what to do, and no password. */
import { messageOf } from "../../../core/call/errors.ts";
import { StoreError, type StoreProblem } from "../../../core/ports/store-error.ts";
import { sqlStateOf } from "./sql-states.ts";
import { aboutTls } from "./tls-problems.ts";

/** The database cannot be reached, or takes nothing now: the same may work later. */
export function isAway(error: unknown): boolean {
  return error instanceof StoreError && error.problem === "unavailable";
}

/** The next statement needs another connection. Also of what the driver throws. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  const state = sqlStateOf(code);
  if (state !== undefined) return state.dropsConnection === true;
  if (error instanceof StoreError) return error.problem === "unavailable";
  if (typeof code === "string" && networkCodes.has(code)) return true;
  const { message } = error as { readonly message?: unknown };
  return typeof message === "string" && lostTexts.some((text) => message.includes(text));
}

/** Nothing of the statement is in the database: it was not sent, or was undone there. */
export class NotDoneError extends StoreError {}

export function isNotDone(error: unknown): boolean {
  return error instanceof NotDoneError;
}

/** What has happened is still worth recording when somebody has seen to it. */
export function mayWorkLater(error: unknown): boolean {
  return error instanceof StoreError && passing.has(error.problem);
}

const passing: ReadonlySet<StoreProblem> = new Set(["unavailable", "full", "cannot_open"]);

/** Somebody else was in the way: done again, it may work. */
export function isWorthRepeating(error: unknown): boolean {
  return sqlStateOf(codeOf(error))?.repeats === true;
}

export function isTakenTwice(error: unknown): boolean {
  return codeOf(error) === "23505";
}

const networkCodes = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EHOSTUNREACH", "ENETUNREACH"],
  ...["EAI_AGAIN", "ENOENT"],
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
  const code = codeOf(error);
  const state = aboutTls(String(code), message) ?? sqlStateOf(code);
  if (state !== undefined) {
    const Kind = state.mayBeDone === true ? StoreError : NotDoneError;
    return new Kind(state.problem, `The store ${place.shown} ${state.text} (${message})`);
  }
  if (isConnectionLost(error)) return unavailable(place, message);
  return new StoreError("failed", `The store ${place.shown} failed: ${message}`);
}

export function unavailable(place: Place, why: string): StoreError {
  return new StoreError(
    "unavailable",
    `The database ${place.shown} cannot be reached: ${withoutSecrets(why, place)}. Nothing that writes or executes runs without a record. Try again: toolgate connects by itself when the database is back.`,
  );
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | undefined)?.code;
}

function withoutSecrets(text: string, { secrets }: Place): string {
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, "[redacted]"), text);
}

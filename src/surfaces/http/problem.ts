/** What is wrong with a request, as application/problem+json (RFC 9457) with a code of ours. */

import { type ErrorCode, type RuleRef, type Stage, Stop } from "../../core/call/errors.ts";
import { defined } from "../../core/input/defined.ts";
import { StoreError } from "../../core/ports/store-error.ts";
import type { ValidationIssue } from "../../core/tool/schema.ts";

/** All that can be wrong with a request itself. What the gate refuses has the codes of `core/errors`. */
export const requestProblems = {
  bad_request: { status: 400, title: "The request is malformed." },
  unauthorized: { status: 401, title: "A token is needed." },
  forbidden: { status: 403, title: "This token does not have the right." },
  wrong_host: { status: 403, title: "This server does not answer for that host." },
  wrong_origin: { status: 403, title: "Pages of other origins may not ask." },
  not_found: { status: 404, title: "There is nothing here." },
  method_not_allowed: { status: 405, title: "This method does not exist here." },
  not_acceptable: { status: 406, title: "The answer does not come in that form." },
  request_timeout: { status: 408, title: "The request came too slowly." },
  conflict: { status: 409, title: "It is not in the state for that." },
  login_code_used: { status: 410, title: "The link was used already." },
  login_code_expired: { status: 410, title: "The link is too old." },
  login_code_unknown: { status: 410, title: "The link leads nowhere." },
  sign_in_old: { status: 410, title: "The sign-in is too old, was used, or was begun elsewhere." },
  sign_in_refused: { status: 403, title: "This sign-in lets nobody in." },
  issuer_away: { status: 503, title: "The identity provider cannot be asked." },
  folder_busy: { status: 409, title: "Another session works in this folder." },
  session_ended: { status: 409, title: "The session has ended." },
  turn_changed: { status: 409, title: "Another turn runs, or none." },
  body_too_large: { status: 413, title: "The body is too large." },
  unsupported_media_type: { status: 415, title: "Bodies are JSON." },
  invalid_body: { status: 422, title: "The body does not have the right form." },
  unknown_runner: { status: 422, title: "There is no such runner." },
  folder_outside: { status: 422, title: "Sessions may not work in this folder." },
  key_reused: { status: 422, title: "The idempotency key was used for another request." },
  too_many_requests: { status: 429, title: "Too many requests." },
  internal: { status: 500, title: "A part of the server broke." },
  runner_missing: { status: 503, title: "The runner cannot be used now." },
  rules_broken: { status: 503, title: "The rules of this folder cannot be used." },
  unavailable: { status: 503, title: "The server cannot do that now." },
  gateway_ring: { status: 508, title: "Gateways ask each other in a ring." },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>;

export type RequestProblemCode = keyof typeof requestProblems;

/** The body of every answer that is not a success. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: RequestProblemCode | ErrorCode;
  readonly stage?: Stage;
  readonly hint?: string;
  readonly rule?: RuleRef;
  readonly retryAfterMs?: number;
  readonly issues?: readonly ValidationIssue[];
  /** The session that holds the folder. */
  readonly holder?: string;
}

export interface ProblemExtras {
  readonly hint?: string | undefined;
  readonly holder?: string | undefined;
  readonly issues?: readonly ValidationIssue[] | undefined;
  /** Besides what every answer has: Retry-After, Allow, WWW-Authenticate. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An answer like every other: routes return it. */
export interface ProblemAnswer {
  readonly kind: "problem";
  readonly status: number;
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

export function problem(code: RequestProblemCode, detail: string, extras: ProblemExtras = {}): ProblemAnswer {
  const { status, title } = requestProblems[code];
  const { hint, issues, holder, headers } = extras;
  return {
    kind: "problem",
    status,
    headers,
    problem: defined({ type: typeOf(code), title, status, detail, code, hint, issues, holder }),
  };
}

/** For what the gate itself refuses outside of a call's outcome, such as an unknown tool. */
export function problemOfStop(status: number, title: string, stop: Stop): ProblemAnswer {
  const { code, stage, message: detail, hint, rule, issues, retryAfterMs } = stop;
  return {
    kind: "problem",
    status,
    headers: retryAfterMs === undefined ? undefined : { "retry-after": String(secondsOf(retryAfterMs)) },
    problem: defined({
      type: typeOf(code),
      title,
      status,
      detail,
      code,
      stage,
      hint,
      rule,
      retryAfterMs,
      issues,
    }),
  };
}

export const storeAwayTitle = "The store cannot be reached now.";

/** Undefined: something else broke. */
export function problemOfStore(error: unknown): ProblemAnswer | undefined {
  if (!(error instanceof StoreError) || error.problem !== "unavailable") return undefined;
  const details = { retryAfterMs: 2_000 };
  return problemOfStop(
    503,
    storeAwayTitle,
    new Stop("store_unavailable", "ledger", "Try again: the server connects by itself.", details),
  );
}

/** Whole seconds, never none: a client that is told to wait 0 seconds comes back at once. */
export function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}

/** A name that stays the same, not an address that would have to exist. */
function typeOf(code: string): string {
  return `urn:toolgate:problem:${code}`;
}

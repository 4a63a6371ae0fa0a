/** The ways a fetch can end without an answer, as values. */

export type FetchErrorCode =
  | "bad_url"
  | "bad_request"
  | "blocked_address"
  | "bad_redirect"
  | "too_many_redirects"
  | "bad_encoding"
  | "too_large"
  | "timed_out"
  | "aborted"
  | "network_error";

export interface FetchRefusal {
  readonly ok: false;
  readonly code: FetchErrorCode;
  readonly message: string;
  readonly hint: string;
  /** Of a network error, as the system names it: `ECONNREFUSED`. Undefined: it was closed without a word. */
  readonly systemCode?: string | undefined;
}

export function refuse(code: FetchErrorCode, message: string, hint: string): FetchRefusal {
  return { ok: false, code, message, hint };
}

/** Why a session was not started, changed or found: values, for every surface to tell in its own form. */

export type SessionProblemCode =
  | "not_found"
  | "bad_request"
  | "unknown_runner"
  | "runner_missing"
  | "folder_outside"
  | "folder_busy"
  | "key_reused"
  | "session_ended"
  | "turn_changed"
  | "too_many"
  | "rules_broken"
  | "closing";

export interface SessionProblem {
  readonly ok: false;
  readonly code: SessionProblemCode;
  readonly message: string;
  readonly hint?: string | undefined;
  /** The session that holds the folder. */
  readonly holder?: string | undefined;
}

export function sessionProblem(
  code: SessionProblemCode,
  message: string,
  more: Pick<SessionProblem, "hint" | "holder"> = {},
): SessionProblem {
  return { ok: false, code, message, ...more };
}

export function unknownSession(id: string): SessionProblem {
  return sessionProblem("not_found", `There is no session ${JSON.stringify(id.slice(0, 80))}.`, {
    hint: "toolgate sessions list shows those that there are.",
  });
}

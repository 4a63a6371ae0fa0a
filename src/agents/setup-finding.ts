/** One thing that was looked at in an agent's set-up or on the machine, and what to do about it. */

export interface SetupFinding {
  /** A short name that stays the same: `hooks-installed`. */
  readonly check: string;
  readonly level: "ok" | "info" | "warning" | "problem";
  readonly message: string;
  readonly todo?: string;
}

export function ok(check: string, message: string): SetupFinding {
  return { check, level: "ok", message };
}

export function info(check: string, message: string): SetupFinding {
  return { check, level: "info", message };
}

export function warning(check: string, message: string, todo?: string): SetupFinding {
  return { check, level: "warning", message, ...(todo !== undefined && { todo }) };
}

export function problem(check: string, message: string, todo?: string): SetupFinding {
  return { check, level: "problem", message, ...(todo !== undefined && { todo }) };
}

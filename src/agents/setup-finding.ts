/** One thing that was looked at in an agent's set-up, and what to do about it. */

export interface SetupFinding {
  /** A short name that stays the same: `hooks-installed`. */
  readonly check: string;
  readonly level: "ok" | "info" | "warning" | "problem";
  readonly message: string;
  readonly todo?: string;
}

/** What can be wrong with a store. Nothing runs without a record, so each of these stops calls. */
import { ToolgateError } from "../call/errors.ts";

export type StoreProblem =
  | "busy"
  | "full"
  | "read_only"
  | "corrupt"
  | "foreign"
  | "newer"
  | "old_sqlite"
  | "cannot_open"
  | "closed"
  | "gone"
  /** The database cannot be reached now. */
  | "unavailable"
  | "failed";

/** Its message is one sentence that says what to do. */
export class StoreError extends ToolgateError {
  readonly problem: StoreProblem;

  constructor(problem: StoreProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

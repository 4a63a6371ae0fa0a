/** Which tasks are over: of a session that a hook ended, and turns of a model in which a person said no. */

export interface TaskEnd {
  /** `cancelled`: a hook ended the task of the session. `rejected`: a person denied a call of the turn. */
  readonly kind: "cancelled" | "rejected";
  /** The hook, or the person. */
  readonly by: string;
  /** For the model: why. */
  readonly message: string;
  readonly at: number;
}

/** Kept by caller and session. With a turn: of that turn alone. */
export interface TaskStore {
  /** At once: every call asks. Undefined: the task goes on. */
  endOf(callerId: string, sessionId: string, turnId?: string): TaskEnd | undefined;
  /**
   * From now on `endOf` says so, in every process that uses the store. What fails is told: then the task goes
   * on, and nobody may believe that it was ended.
   */
  end(task: TaskName, end: TaskEnd): void | Promise<void>;
  /** A new task of the session begins. Nothing to do where none was ended. */
  start(callerId: string, sessionId: string): void | Promise<void>;
}

export interface TaskName {
  readonly callerId: string;
  readonly sessionId: string;
  readonly turnId?: string | undefined;
}

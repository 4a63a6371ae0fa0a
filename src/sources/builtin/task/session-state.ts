/** What is remembered of a session: its list of things to do, the note for the next context, its end. */

export const todoStatuses = ["pending", "in_progress", "done"] as const;

export type TodoStatus = (typeof todoStatuses)[number];

export interface Todo {
  /** Counts from 1 within the list. */
  readonly id: number;
  readonly text: string;
  readonly status: TodoStatus;
}

export interface SessionMemory {
  readonly todos: readonly Todo[];
  /** What the next context should know. */
  readonly handoff?: string;
  /** Set once the task is said to be done. */
  readonly completed?: string;
}

/** By the key of a session, in which its caller is. */
export interface SessionState {
  of(session: string): SessionMemory;
  update(session: string, change: Partial<SessionMemory>): void;
  forget(session: string): void;
}

export interface SessionStateOptions {
  /** The session that was not used for the longest time is forgotten first. Default 1,000. */
  readonly maxSessions?: number;
}

const nothing: SessionMemory = Object.freeze({ todos: Object.freeze([]) });

export function createSessionState({ maxSessions = 1_000 }: SessionStateOptions = {}): SessionState {
  const sessions = new Map<string, SessionMemory>();
  const put = (session: string, memory: SessionMemory) => {
    sessions.delete(session);
    sessions.set(session, memory);
    const oldest = sessions.keys().next().value;
    if (sessions.size > maxSessions && oldest !== undefined) sessions.delete(oldest);
  };
  return {
    of: (session) => {
      const memory = sessions.get(session);
      if (memory !== undefined) put(session, memory);
      return memory ?? nothing;
    },
    update: (session, change) =>
      put(session, Object.freeze({ ...(sessions.get(session) ?? nothing), ...change })),
    forget: (session) => {
      sessions.delete(session);
    },
  };
}

/** Sessions as the server tells of them: the whole state, and the items of the log. */

export interface Session {
  readonly id: string;
  readonly owner: string;
  readonly runner: string;
  readonly title: string;
  readonly cwd: string;
  readonly mode: string;
  readonly model?: string;
  readonly state: string;
  readonly end?: string;
  readonly turn: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly endedAt?: number;
  readonly parent?: string;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
  readonly error?: { readonly code: string; readonly message: string };
}

export interface SessionList {
  readonly sessions: readonly Session[];
  readonly next?: string;
}

export interface RunnerList {
  readonly runners: readonly { readonly name: string; readonly title?: string; readonly missing?: string }[];
}

/** What every item of the log has, and what its kind adds. */
export interface Item {
  readonly kind: string;
  readonly itemId: string;
  readonly turn: number;
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export function stateOf({ state, end }: Pick<Session, "state" | "end">): string {
  return state === "ended" ? (end ?? "ended") : state;
}

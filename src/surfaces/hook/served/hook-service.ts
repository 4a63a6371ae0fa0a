/** What the route for hooks works with: the projects' gates, the script's door, how long people have. */
import { withoutSession } from "../../../agents/all-agents.ts";
import type { Environment } from "../../../config/folders.ts";
import { sessionKey } from "../../../core/call/session-key.ts";
import type { Store } from "../../../open/open-store.ts";
import { type BegunCalls, createBegunCalls } from "./begun-calls.ts";
import type { HookCredentials } from "./hook-credentials.ts";
import { createProjectGates, type ProjectGates } from "./project-gates.ts";

export interface HookService {
  readonly gates: ProjectGates;
  readonly door: HookCredentials | undefined;
  /** Who may tell how a call ended. */
  readonly begun: BegunCalls;
  /** The server's own: for agents that send no variables. */
  readonly env: Environment;
  readonly maxWaitMs: number;
  /** Whether somebody sees what waits on the queue, as it comes. */
  isWatched(): boolean;
  /** In which folder a session of an agent that does not say its project was first seen with this caller. */
  projectOf(callerId: string, sessionId: string | undefined, cwd: string): string;
  /** Something that its owner should know. */
  readonly tell: (message: string) => void;
  close(): Promise<void>;
}

export interface HookServiceOptions {
  readonly store: Pick<Store, "ledger" | "approvals" | "grants" | "limits" | "tasks" | "redactText">;
  readonly env: Environment;
  readonly door?: HookCredentials | undefined;
  readonly tell?: (message: string) => void;
  readonly maxWaitMs?: number;
  /** Default: nobody does. */
  readonly isWatched?: () => boolean;
}

/** The client's deadline, as it is installed, less what an answer needs on its way. */
const defaultWaitMs = 285_000;
const maxSessions = 10_000;

export function createHookService(options: HookServiceOptions): HookService {
  const { store, env, door, tell = () => {}, maxWaitMs = defaultWaitMs, isWatched = () => false } = options;
  // A little longer than the call itself waits: then the call's own end says how it was.
  const gates = createProjectGates({ store, approvalTimeoutMs: maxWaitMs + 1_000 });
  const sessions = new Map<string, string>();
  return {
    gates,
    begun: createBegunCalls(),
    door,
    env: withoutSession(env),
    maxWaitMs,
    isWatched,
    tell,
    projectOf(callerId, sessionId, cwd) {
      if (sessionId === undefined) return cwd;
      // By the name alone, whoever came first with it would choose the rules of another's session.
      const session = sessionKey(callerId, sessionId);
      const known = sessions.get(session);
      if (known !== undefined) return known;
      const [oldest] = sessions.keys();
      if (sessions.size >= maxSessions && oldest !== undefined) sessions.delete(oldest);
      sessions.set(session, cwd);
      return cwd;
    },
    async close() {
      door?.withdraw();
      await gates.close();
    },
  };
}

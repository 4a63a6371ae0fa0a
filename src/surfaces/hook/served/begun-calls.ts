/** Which calls agents may run, and who asked: only that caller can tell how a call ended, and only once. */

export interface AgentsCall {
  readonly tool: string;
  readonly sessionId: string | undefined;
  readonly toolUseId: string | undefined;
}

export interface BegunCalls {
  /** The caller was told that it may run the call. */
  begin(callerId: string, call: AgentsCall): void;
  /** `unknown`: nobody here began it, or so long ago that it is forgotten. */
  end(callerId: string, call: AgentsCall): "own" | "foreign" | "unknown";
}

/** An agent that never tells how its calls end must not fill the memory. */
const maxKept = 10_000;

export function createBegunCalls(): BegunCalls {
  const callers = new Map<string, Set<string>>();
  return {
    begin(callerId, call) {
      const key = keyOf(call);
      const known = callers.get(key) ?? new Set();
      known.add(callerId);
      // Those used last are at the end.
      callers.delete(key);
      callers.set(key, known);
      const [oldest] = callers.keys();
      if (callers.size > maxKept && oldest !== undefined) callers.delete(oldest);
    },
    end(callerId, call) {
      const key = keyOf(call);
      const known = callers.get(key);
      if (known === undefined) return "unknown";
      if (!known.delete(callerId)) return "foreign";
      if (known.size === 0) callers.delete(key);
      return "own";
    },
  };
}

/** Two callers may use the same names; each ends its own. */
function keyOf({ tool, sessionId, toolUseId }: AgentsCall): string {
  return JSON.stringify([tool, sessionId ?? null, toolUseId ?? null]);
}

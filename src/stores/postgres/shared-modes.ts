/** Which sessions are in plan mode, on all machines: in memory, and told to the others. */
import type { Mode } from "../../core/call/call.ts";
import type { ModeStore } from "../../core/ports/store.ts";
import type { Fact } from "./facts.ts";

export interface SharedModes extends ModeStore {
  hear(fact: Fact): void;
}

export function createSharedModes(
  modes: ModeStore,
  nodeId: string,
  say: (facts: readonly Omit<Fact, "origin">[]) => Promise<void>,
): SharedModes {
  /** What callers chose in a session: the program's word replaces it. */
  const chosen = new Map<string, Set<string>>();
  const keyOf = (sessionId: string, callerId?: string) =>
    JSON.stringify(callerId === undefined ? [sessionId] : [sessionId, callerId]);
  return {
    of: (sessionId, callerId) => modes.of(sessionId, callerId),
    set(sessionId, mode, callerId) {
      const gone: string[] = [];
      if (callerId === undefined) {
        gone.push(...(chosen.get(sessionId) ?? []));
        chosen.delete(sessionId);
      } else chosen.set(sessionId, (chosen.get(sessionId) ?? new Set()).add(callerId));
      void modes.set(sessionId, mode, callerId);
      return say([
        ...gone.map((caller) => ({ key: keyOf(sessionId, caller), value: undefined })),
        { key: keyOf(sessionId, callerId), value: mode },
      ]);
    },
    hear({ key, value, origin }) {
      // What this process said itself may be older than what it holds.
      if (origin === nodeId) return;
      const [sessionId = "", callerId] = JSON.parse(key) as string[];
      if (value === undefined) return;
      if (callerId === undefined) chosen.delete(sessionId);
      else chosen.set(sessionId, (chosen.get(sessionId) ?? new Set()).add(callerId));
      void modes.set(sessionId, value as Mode, callerId);
    },
  };
}

/** Which sessions are in plan mode, for as long as the process lives. */
import type { Mode } from "../../core/call/call.ts";
import type { ModeStore } from "../../core/ports/store.ts";

/** The place of what holds for callers who chose nothing. */
const everyone = undefined;

export function createMemoryModes(): ModeStore {
  /** By session, then by caller. A session that is not here is in act mode. */
  const sessions = new Map<string, Map<string | typeof everyone, Mode>>();
  return {
    of(sessionId, callerId) {
      if (sessionId === undefined || sessions.size === 0) return "act";
      const modes = sessions.get(sessionId);
      return modes?.get(callerId) ?? modes?.get(everyone) ?? "act";
    },
    set(sessionId, mode, callerId) {
      const known = callerId === everyone ? undefined : sessions.get(sessionId);
      const modes = known ?? new Map<string | typeof everyone, Mode>();
      // "act" is kept only against the program's word: made-up sessions must not fill the memory.
      if (mode === "act" && !modes.has(everyone)) modes.delete(callerId);
      else modes.set(callerId, mode);
      if (modes.size === 0) sessions.delete(sessionId);
      else sessions.set(sessionId, modes);
    },
  };
}

/** Which sessions are in plan mode. What a caller chooses holds for its own calls; what the program says, for all who name the session. */
import type { Mode } from "../core/call/call.ts";

/** The place of what holds for callers who chose nothing. */
const everyone = undefined;

export class ModesOfSessions {
  /** By session, then by caller. A session that is not here is in act mode. */
  readonly #modes = new Map<string, Map<string | typeof everyone, Mode>>();

  of(sessionId: string | undefined, callerId: string): Mode {
    if (sessionId === undefined || this.#modes.size === 0) return "act";
    const modes = this.#modes.get(sessionId);
    return modes?.get(callerId) ?? modes?.get(everyone) ?? "act";
  }

  /** The program's word replaces what callers chose before. */
  setForEveryone(sessionId: string, mode: Mode): void {
    if (mode === "act") this.#modes.delete(sessionId);
    else this.#modes.set(sessionId, new Map([[everyone, mode]]));
  }

  set(sessionId: string, mode: Mode, callerId: string): void {
    const modes = this.#modes.get(sessionId) ?? new Map<string | typeof everyone, Mode>();
    // Only against the program's word need it be said that a caller may act: made-up sessions must not fill the memory.
    if (mode === "act" && !modes.has(everyone)) modes.delete(callerId);
    else modes.set(callerId, mode);
    if (modes.size === 0) this.#modes.delete(sessionId);
    else this.#modes.set(sessionId, modes);
  }
}

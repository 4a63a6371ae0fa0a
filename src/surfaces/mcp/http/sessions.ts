/** Sessions of older clients: bound to the token's caller, bounded, and closed when nobody uses them. */
import type { Clock } from "../../../core/ports/ports.ts";

export interface SessionLimits {
  /** Of all callers together. */
  readonly maxSessions: number;
  /** Of one caller. */
  readonly maxPerCaller: number;
  /** A session that nobody used for so long is closed; its client may come back to it all the same. */
  readonly idleMs: number;
}

export const defaultSessionLimits: SessionLimits = {
  maxSessions: 10_000,
  maxPerCaller: 200,
  idleMs: 60 * 60_000,
};

export interface HeldSession {
  readonly id: string;
  readonly callerId: string;
  /** A request runs in it, or a stream of it is open. */
  readonly isBusy: boolean;
  close(): void;
}

interface Held<Session> {
  readonly session: Session;
  usedAt: number;
}

export function createSessions<Session extends HeldSession>(
  { maxSessions, maxPerCaller, idleMs }: SessionLimits,
  clock: Clock,
) {
  // The one that was not used for longest is first.
  const held = new Map<string, Held<Session>>();
  let newest: Held<Session> | undefined;
  const counts = new Map<string, number>();
  let stopWaiting: (() => void) | undefined;

  const close = (session: Session) => {
    if (!held.delete(session.id)) return;
    if (newest?.session === session) newest = undefined;
    const left = (counts.get(session.callerId) ?? 1) - 1;
    if (left === 0) counts.delete(session.callerId);
    else counts.set(session.callerId, left);
    session.close();
  };

  /** One timer for all: it looks at the oldest. */
  const wait = () => {
    stopWaiting?.();
    stopWaiting = undefined;
    const oldest = held.values().next().value;
    if (oldest === undefined) return;
    stopWaiting = clock.after(Math.max(1_000, oldest.usedAt + idleMs - clock.monotonic()), () => {
      closeIdle();
      wait();
    });
  };

  const closeIdle = () => {
    const now = clock.monotonic();
    for (const entry of [...held.values()]) {
      if (now - entry.usedAt < idleMs) return;
      if (entry.session.isBusy) use(entry, now);
      else close(entry.session);
    }
  };

  const use = (entry: Held<Session>, now: number) => {
    entry.usedAt = now;
    // Most requests come from the session that was used last: nothing has to move.
    if (entry === newest) return;
    newest = entry;
    held.delete(entry.session.id);
    held.set(entry.session.id, entry);
  };

  /** Clients that crash do not say good-bye: the session that was not used for longest goes. */
  const makeRoom = (callerId: string): boolean => {
    const isFull = held.size >= maxSessions;
    if (!isFull && (counts.get(callerId) ?? 0) < maxPerCaller) return true;
    for (const { session } of held.values())
      if (!session.isBusy && session.callerId === callerId) {
        close(session);
        return true;
      }
    return false;
  };

  return {
    get size(): number {
      return held.size;
    },
    /** Undefined: there are too many, and all of them are in use. */
    open(callerId: string, make: () => Session): Session | undefined {
      if (!makeRoom(callerId)) return undefined;
      const session = make();
      newest = { session, usedAt: clock.monotonic() };
      held.set(session.id, newest);
      counts.set(callerId, (counts.get(callerId) ?? 0) + 1);
      if (held.size === 1) wait();
      return session;
    },
    /** Undefined: it does not exist, or not for this caller. */
    find(id: string, callerId: string): Session | undefined {
      const entry = held.get(id);
      // Whoever learned another's id learns nothing more from the answer.
      if (entry === undefined || entry.session.callerId !== callerId) return undefined;
      use(entry, clock.monotonic());
      return entry.session;
    },
    close,
    closeWhere(isMeant: (session: Session) => boolean): void {
      for (const { session } of [...held.values()]) if (isMeant(session)) close(session);
    },
    closeAll(): void {
      stopWaiting?.();
      stopWaiting = undefined;
      for (const { session } of [...held.values()]) close(session);
    },
  };
}

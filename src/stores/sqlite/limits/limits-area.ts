/** Counts for limits in the database, looked at and counted in one transaction of all processes. */
import type { LimitAnswer, LimitClaim } from "../../../core/ports/ports.ts";
import { defineArea, type StoreContext } from "../area.ts";
import { livingProcesses } from "../processes/processes-area.ts";

export const limitsArea = defineArea({
  name: "limits",
  writes: { take, release },
  reads: { look },
  onOpen: sweep,
  everySeconds: 60,
  onTick(store, closing) {
    if (closing) freePlacesOf(store, store.processId);
    else sweep(store);
  },
});

export type Refusal = Omit<LimitAnswer & { readonly ok: false }, "ok">;

interface Taking {
  readonly claims: readonly LimitClaim[];
  readonly now: number;
  /** Names the places this call holds. */
  readonly call: string;
}

/** Undefined: everything is counted. Otherwise nothing is. */
function take(store: StoreContext, { claims, now, call }: Taking): Refusal | undefined {
  let refusal = look(store, { claims, now });
  if (refusal?.why === "concurrent" && freePlacesOfTheDead(store)) refusal = look(store, { claims, now });
  if (refusal !== undefined) return refusal;
  claims.forEach((claim, index) => {
    if (claim.window !== undefined) count(store, claim, claim.window.windowMs, now);
    if (claim.concurrent !== undefined)
      store.insert("limit_places", {
        call_number: call,
        claim: index,
        limit_name: claim.limit,
        who: claim.who,
        process_id: store.processId,
      });
  });
  return undefined;
}

function release(store: StoreContext, { call }: { readonly call: string }): void {
  store.run("DELETE FROM limit_places WHERE call_number = ?", call);
}

/** The first claim that does not fit. */
function look(
  store: StoreContext,
  { claims, now }: { readonly claims: readonly LimitClaim[]; readonly now: number },
): Refusal | undefined {
  for (const [index, claim] of claims.entries()) {
    const refusal = refuse(store, claim, now);
    if (refusal !== undefined) return { index, ...refusal };
  }
  return undefined;
}

function refuse(store: StoreContext, claim: LimitClaim, now: number): Omit<Refusal, "index"> | undefined {
  const { limit, who, window, concurrent } = claim;
  if (concurrent !== undefined && placesTaken(store, claim) >= concurrent)
    return { why: "concurrent", retryAfterMs: undefined };
  if (window === undefined) return undefined;
  const { max, windowMs } = window;
  if (max === 0) return { why: "window", retryAfterMs: windowMs };
  // A clock that was set back must not close a limit for longer than a window.
  const within = [limit, who, now - windowMs, now + windowMs] as const;
  if (callsWithin(store, within) < max) return undefined;
  return { why: "window", retryAfterMs: Math.max(1, timeOfNewest(store, within, max) + windowMs - now) };
}

type Within = readonly [limit: string, who: string, after: number, until: number];

function callsWithin(store: StoreContext, within: Within): number {
  const row = store.get(
    "SELECT COALESCE(SUM(calls), 0) AS calls FROM limit_calls WHERE limit_name = ? AND who = ? AND at > ? AND at <= ?",
    ...within,
  );
  return Number(row?.calls);
}

/** When the call came that `nth - 1` newer ones followed. */
function timeOfNewest(store: StoreContext, within: Within, nth: number): number {
  const row = store.get(
    `SELECT MAX(at) AS at FROM (
       SELECT at, SUM(calls) OVER (ORDER BY at DESC) AS so_far
       FROM limit_calls WHERE limit_name = ? AND who = ? AND at > ? AND at <= ?
     ) AS newest WHERE so_far >= ?`,
    ...within,
    nth,
  );
  return Number(row?.at);
}

function count(store: StoreContext, { limit, who }: LimitClaim, windowMs: number, now: number): void {
  store.run("DELETE FROM limit_calls WHERE limit_name = ? AND who = ? AND leaves_at <= ?", limit, who, now);
  store.run(
    `INSERT INTO limit_calls (limit_name, who, at, calls, leaves_at) VALUES (?, ?, ?, 1, ?)
     ON CONFLICT (limit_name, who, at) DO UPDATE SET calls = limit_calls.calls + 1, leaves_at = excluded.leaves_at`,
    limit,
    who,
    now,
    now + windowMs,
  );
}

function placesTaken(store: StoreContext, { limit, who }: LimitClaim): number {
  const row = store.get(
    "SELECT count(*) AS taken FROM limit_places WHERE limit_name = ? AND who = ?",
    limit,
    who,
  );
  return Number(row?.taken);
}

/** Whether there were any. */
function freePlacesOfTheDead(store: StoreContext): boolean {
  const living = new Set(livingProcesses(store));
  const owners = store
    .all("SELECT DISTINCT process_id FROM limit_places")
    .map((row) => String(row.process_id));
  const dead = owners.filter((owner) => !living.has(owner));
  for (const owner of dead) freePlacesOf(store, owner);
  return dead.length > 0;
}

function freePlacesOf(store: StoreContext, owner: string): void {
  store.run("DELETE FROM limit_places WHERE process_id = ?", owner);
}

/** Names nobody uses any more leave nothing behind. */
function sweep(store: StoreContext): void {
  store.run("DELETE FROM limit_calls WHERE leaves_at <= ?", store.now());
  freePlacesOfTheDead(store);
}

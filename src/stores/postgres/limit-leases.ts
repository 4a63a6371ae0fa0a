/**
 * Busy limits, leased: a process takes a chunk of calls in one statement and gives them out by itself. A chunk is counted
 * as if all of it were used when its lease ends, which is later than any use: no window ever holds more than the maximum.
 * What is left at the end is given back. What a process that died had left leaves with the window.
 */
import type { LimitClaim } from "../../core/ports/ports.ts";
import type { PostgresContext } from "./context.ts";
import { storableText } from "./database.ts";

/** A lease ends so much later; it has to be little beside the window. */
const leaseMs = 1_000;
const shortestWindowMs = 10_000;
/** Only limits that allow many are worth it, and only while this process asks so often. */
const fewestPerMinute = 1_000;
const busyPerSecond = 20;
/** Of the maximum: others must not starve beside unspent chunks. */
const largestShare = 0.05;
/** With more, those that nobody asked for lately are forgotten: sessions and callers come and go. */
const mostKnown = 1_000;

interface Leased {
  readonly limit: string;
  readonly who: string;
  /** Left to give out. */
  left: number;
  /** By the clock that only goes forward. */
  until: number;
  /** As it stands in the table: by the clock that goes on while the machine sleeps. */
  endsAt: number;
  /** How often this process asked in this second and in the one before. */
  asked: number;
  before: number;
  second: number;
  taking: Promise<void> | undefined;
}

export interface LimitLeases {
  /** `now`: by the database's clock. True: all of them are counted. False: they have to be counted one by one. */
  take(claims: readonly LimitClaim[], now: number): Promise<boolean>;
  close(): Promise<void>;
}

export function createLimitLeases({ db }: Pick<PostgresContext, "db">): LimitLeases {
  const leased = new Map<string, Leased>();
  const giving = new Set<Promise<unknown>>();

  /** What is over is not given out any more; then it may go back, because nobody uses it from here on. */
  const giveBack = (lease: Leased): void => {
    const { limit, who, left, endsAt } = lease;
    lease.left = 0;
    if (left === 0) return;
    const done = db
      .run(
        "UPDATE toolgate.limit_calls SET calls = calls - $4 WHERE limit_name = $1 AND who = $2 AND at = $3",
        [limit, who, endsAt, left],
      )
      // It leaves with the window all the same.
      .catch(() => {})
      .finally(() => giving.delete(done));
    giving.add(done);
  };

  const takeChunk = async ({ window }: LimitClaim, lease: Leased, now: number): Promise<void> => {
    if (window === undefined) return;
    giveBack(lease);
    const wanted = Math.max(1, Math.min(Math.floor(window.max * largestShare), lease.before));
    const until = performance.now() + leaseMs;
    // One more millisecond: a use in the last one is not later than what is counted.
    const endsAt = now + leaseMs + 1;
    const [row] = await db.query("SELECT toolgate.limits_lease($1, $2, $3, $4, $5, $6, $7) AS granted", [
      lease.limit,
      lease.who,
      window.max,
      window.windowMs,
      now,
      endsAt,
      wanted,
    ]);
    Object.assign(lease, { left: Number(row?.granted), until, endsAt });
    setTimeout(() => {
      if (lease.endsAt === endsAt) giveBack(lease);
    }, until - performance.now()).unref();
  };

  const refill = (claim: LimitClaim, lease: Leased, now: number): Promise<void> =>
    (lease.taking ??= takeChunk(claim, lease, now).finally(() => {
      lease.taking = undefined;
    }));

  return {
    async take(claims, now) {
      if (claims.length === 0 || !claims.every(isLeasable)) return false;
      const places = claims.map((claim) => ({ claim, lease: ofClaim(leased, claim, now) }));
      for (const { lease } of places) lease.asked++;
      if (!places.every(({ lease }) => lease.before >= busyPerSecond)) return false;
      // By both clocks: a machine that slept has not noticed by the one that only goes forward.
      const isEmpty = ({ lease: { left, until, endsAt } }: (typeof places)[number]) =>
        left === 0 || performance.now() >= until || now >= endsAt;
      const empty = places.filter(isEmpty);
      if (empty.length > 0) await Promise.all(empty.map(({ claim, lease }) => refill(claim, lease, now)));
      // Others may have taken all of it meanwhile.
      if (places.some(isEmpty)) return false;
      for (const { lease } of places) lease.left--;
      return true;
    },
    async close() {
      for (const lease of leased.values()) giveBack(lease);
      await Promise.all(giving);
    },
  };
}

function isLeasable({ window, concurrent }: LimitClaim): boolean {
  if (window === undefined || concurrent !== undefined || window.windowMs < shortestWindowMs) return false;
  return (window.max * 60_000) / window.windowMs >= fewestPerMinute;
}

function ofClaim(leased: Map<string, Leased>, claim: LimitClaim, now: number): Leased {
  const [limit, who] = [storableText(claim.limit), storableText(claim.who)];
  const key = JSON.stringify([limit, who]);
  const second = Math.floor(now / 1_000);
  const known = leased.get(key);
  if (known === undefined) {
    if (leased.size >= mostKnown) forgetQuiet(leased, second);
    const made = {
      limit,
      who,
      left: 0,
      until: 0,
      endsAt: 0,
      asked: 0,
      before: 0,
      second,
      taking: undefined,
    };
    leased.set(key, made);
    return made;
  }
  if (known.second !== second) {
    known.before = known.second === second - 1 ? known.asked : 0;
    known.asked = 0;
    known.second = second;
  }
  return known;
}

function forgetQuiet(leased: Map<string, Leased>, second: number): void {
  for (const [key, { second: last, left, taking }] of leased)
    if (Math.abs(second - last) > 1 && left === 0 && taking === undefined) leased.delete(key);
}

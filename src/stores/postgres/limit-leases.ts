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

interface Leased {
  /** Left to give out. */
  left: number;
  /** By the clock that only goes forward. */
  until: number;
  /** As it stands in the table. */
  endsAt: number;
  /** How often this process asked in this second and in the one before. */
  asked: number;
  before: number;
  second: number;
  taking: Promise<void> | undefined;
}

export interface LimitLeases {
  /** True: all of them are counted. False: they have to be counted one by one. */
  take(claims: readonly LimitClaim[]): Promise<boolean>;
  close(): Promise<void>;
}

export function createLimitLeases({ db, clock }: Pick<PostgresContext, "db" | "clock">): LimitLeases {
  const leased = new Map<string, Leased>();
  const giving = new Set<Promise<unknown>>();

  const of = ({ limit, who }: LimitClaim, nowMs: number): Leased => {
    const key = `${limit}\n${who}`;
    const known = leased.get(key);
    const second = Math.floor(nowMs / 1_000);
    if (known === undefined) {
      const made = { left: 0, until: 0, endsAt: 0, asked: 0, before: 0, second, taking: undefined };
      leased.set(key, made);
      return made;
    }
    if (known.second !== second) {
      known.before = known.second === second - 1 ? known.asked : 0;
      known.asked = 0;
      known.second = second;
    }
    return known;
  };

  /** What is over is not given out any more; then it may go back, because nobody uses it from here on. */
  const giveBack = (claim: LimitClaim, lease: Leased): void => {
    const { left, endsAt } = lease;
    lease.left = 0;
    if (left === 0) return;
    const done = db
      .run(
        "UPDATE toolgate.limit_calls SET calls = calls - $4 WHERE limit_name = $1 AND who = $2 AND at = $3",
        [storableText(claim.limit), storableText(claim.who), endsAt, left],
      )
      // It leaves with the window all the same.
      .catch(() => {})
      .finally(() => giving.delete(done));
    giving.add(done);
  };

  const takeChunk = async (claim: LimitClaim, lease: Leased): Promise<void> => {
    const { window, limit, who } = claim;
    if (window === undefined) return;
    giveBack(claim, lease);
    const wanted = Math.max(1, Math.min(Math.floor(window.max * largestShare), lease.before));
    const now = clock.now();
    const until = performance.now() + leaseMs;
    // One more millisecond: a use in the last one is not later than what is counted.
    const endsAt = now + leaseMs + 1;
    const [row] = await db.query("SELECT toolgate.limits_lease($1, $2, $3, $4, $5, $6, $7) AS granted", [
      storableText(limit),
      storableText(who),
      window.max,
      window.windowMs,
      now,
      endsAt,
      wanted,
    ]);
    Object.assign(lease, { left: Number(row?.granted), until, endsAt });
    setTimeout(() => {
      if (lease.endsAt === endsAt) giveBack(claim, lease);
    }, until - performance.now()).unref();
  };

  const refill = (claim: LimitClaim, lease: Leased): Promise<void> =>
    (lease.taking ??= takeChunk(claim, lease).finally(() => {
      lease.taking = undefined;
    }));

  return {
    async take(claims) {
      const now = performance.now();
      const places = claims.map((claim) => ({ claim, lease: of(claim, now) }));
      for (const { lease } of places) lease.asked++;
      if (!places.every(({ claim, lease }) => isLeasable(claim) && lease.before >= busyPerSecond))
        return false;
      const isEmpty = ({ lease }: (typeof places)[number]) =>
        lease.left === 0 || performance.now() >= lease.until;
      const empty = places.filter(isEmpty);
      if (empty.length > 0) await Promise.all(empty.map(({ claim, lease }) => refill(claim, lease)));
      // Others may have taken all of it meanwhile.
      if (places.some(isEmpty)) return false;
      for (const { lease } of places) lease.left--;
      return true;
    },
    async close() {
      for (const [key, lease] of leased) {
        const [limit = "", who = ""] = key.split("\n");
        giveBack({ limit, who, window: undefined, concurrent: undefined }, lease);
      }
      await Promise.all(giving);
    },
  };
}

function isLeasable({ window, concurrent }: LimitClaim): boolean {
  if (window === undefined || concurrent !== undefined || window.windowMs < shortestWindowMs) return false;
  return (window.max * 60_000) / window.windowMs >= fewestPerMinute;
}

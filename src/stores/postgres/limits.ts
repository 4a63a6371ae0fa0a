/** Limits that hold across machines, exactly: each call looks and counts in one statement, but of busy ones. */
import { randomBytes } from "node:crypto";
import type { LimitAnswer, LimitClaim, LimitStore } from "../../core/ports/ports.ts";
import type { PostgresContext } from "./context.ts";
import { type Statements, storableText } from "./database.ts";
import { createLimitLeases } from "./limit-leases.ts";

export interface PostgresLimits extends LimitStore {
  close(): Promise<void>;
}

export function createPostgresLimits(context: PostgresContext): PostgresLimits {
  const { db, clock, nodeId } = context;
  const leases = createLimitLeases(context);
  const start = randomBytes(9).toString("base64url");
  let calls = 0;
  const releasing = new Set<Promise<number>>();

  function releaseOnce(call: string): () => void {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      // A place that cannot be given back now is given back when this process has ended.
      const done = db
        .run("DELETE FROM toolgate.limit_places WHERE call_number = $1", [call])
        .catch(() => 0)
        .finally(() => releasing.delete(done));
      releasing.add(done);
    };
  }

  return {
    close: () => leases.close(),
    async take(claims, now, dry): Promise<LimitAnswer> {
      if (!dry && (await leases.take(claims, clock.toDatabase(now)))) return { ok: true, release: undefined };
      // Whoever gave a place back and asks for one must find it.
      if (releasing.size > 0) await Promise.all(releasing);
      const call = `${start}.${++calls}`;
      const values = [
        JSON.stringify(claims.map(toJson)),
        clock.toDatabase(now),
        call,
        nodeId,
        "20 seconds",
        dry,
      ];
      const [refusal] = await db.query(
        "SELECT * FROM toolgate.limits_take($1, $2, $3, $4, $5::interval, $6)",
        values,
      );
      if (refusal !== undefined)
        return {
          ok: false,
          index: Number(refusal.index),
          why: refusal.why as "window" | "concurrent",
          retryAfterMs: refusal.retry_ms === null ? undefined : Number(refusal.retry_ms),
        };
      const holds = !dry && claims.some(({ concurrent }) => concurrent !== undefined);
      return { ok: true, release: holds ? releaseOnce(call) : undefined };
    },
  };
}

function toJson({ limit, who, window, concurrent }: LimitClaim) {
  return { limit: storableText(limit), who: storableText(who), ...window, concurrent };
}

/** Names nobody uses any more leave nothing behind. */
export async function forgetOldCalls(db: Statements, now: number): Promise<void> {
  await db.run("DELETE FROM toolgate.limit_calls WHERE leaves_at <= $1", [now]);
}

export async function freePlaces(db: Statements, nodes: readonly string[]): Promise<void> {
  await db.run("DELETE FROM toolgate.limit_places WHERE process_id = ANY($1)", [nodes]);
}

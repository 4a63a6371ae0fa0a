/** Calls that are parked for their clients: handed from the replica that a client came to, to the one that holds them. */
import type { Json } from "../../core/input/json.ts";
import type { HandedOver, ParkedStore } from "../../core/ports/parked.ts";
import { onAbort } from "../../core/run/abort.ts";
import type { Row } from "../port/row.ts";
import { createSealReader, type SealReader, sealInput } from "../port/sealed-input.ts";
import type { PostgresContext } from "./context.ts";
import type { Statements } from "./database.ts";

/** A bell may be lost. */
const lookMs = 1_000;
const isDead = `NOT EXISTS (SELECT 1 FROM toolgate.nodes AS n WHERE n.id = p.process_id AND toolgate.is_living(n.seen))`;

export function createPostgresParked({ db, bells, nodeId }: PostgresContext): ParkedStore {
  let reader: SealReader | undefined;
  const own = () => (reader ??= createSealReader());

  /** Undefined: it is not there yet. */
  const look = async (id: string): Promise<HandedOver | undefined> => {
    const [row] = await db.look(
      `SELECT answer, ${isDead} AS dead FROM toolgate.parked_calls AS p WHERE id = $1 AND came_by = $2`,
      [id, nodeId],
    );
    if (row === undefined) return { state: "unknown" };
    if (row.answer !== null) {
      await db.run(
        `UPDATE toolgate.parked_calls SET came_by = NULL, came = NULL, answer = NULL, taken = false
         WHERE id = $1 AND came_by = $2`,
        [id, nodeId],
      );
      return { state: "answered", answer: own().open(String(row.answer), id) as Json };
    }
    if (row.dead !== true) return undefined;
    const lost = await db.run(
      "DELETE FROM toolgate.parked_calls WHERE id = $1 AND came_by = $2 AND NOT taken",
      [id, nodeId],
    );
    // What it had begun with these answers is not known: the call must not begin anew.
    return { state: lost > 0 ? "lost" : "unknown" };
  };

  return {
    async park({ id, turn, expiresAt }) {
      await db.run(
        `INSERT INTO toolgate.parked_calls (id, process_id, turn, expires_at, seal_key) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (id) DO UPDATE SET turn = excluded.turn, expires_at = excluded.expires_at`,
        [id, nodeId, turn, expiresAt, own().sealKey],
      );
    },
    async use({ id, turn }) {
      const used = await db.run(
        "DELETE FROM toolgate.parked_calls WHERE id = $1 AND turn = $2 AND came_by IS NULL",
        [id, turn],
      );
      return used > 0;
    },
    async drop(id) {
      await db.run("DELETE FROM toolgate.parked_calls WHERE id = $1 AND came_by IS NULL", [id]);
    },
    async handOver({ id, turn }, came, signal) {
      const lost = await db.run(
        `DELETE FROM toolgate.parked_calls AS p WHERE id = $1 AND turn = $2 AND came_by IS NULL AND ${isDead}`,
        [id, turn],
      );
      if (lost > 0) return { state: "lost" };
      const [held] = await db.look("SELECT seal_key FROM toolgate.parked_calls WHERE id = $1", [id]);
      if (held === undefined) return { state: "unknown" };
      const taken = await db.run(
        `UPDATE toolgate.parked_calls SET came_by = $3, came_seal_key = $4, came = $5, turn = turn + 1
         WHERE id = $1 AND turn = $2 AND came_by IS NULL`,
        [id, turn, nodeId, own().sealKey, sealInput(came, String(held.seal_key), id)],
      );
      if (taken === 0) return { state: "unknown" };
      bells.ring("parked");
      return until(() => look(id), bells.listen.bind(bells, "parked"), signal);
    },
    take(answer) {
      const one = async (row: Row) => {
        const id = String(row.id);
        const answered = await answer(id, own().open(String(row.came), id) as Json);
        await db.run("UPDATE toolgate.parked_calls SET answer = $2 WHERE id = $1", [
          id,
          sealInput(answered, String(row.came_seal_key), id),
        ]);
        bells.ring("parked");
      };
      const lookForMine = async () => {
        // Taken once: from here on the call has its answers.
        const rows = await db.query(
          `UPDATE toolgate.parked_calls SET taken = true WHERE process_id = $1 AND came IS NOT NULL AND NOT taken
           RETURNING id, came, came_seal_key`,
          [nodeId],
        );
        for (const row of rows) void one(row).catch(() => {});
      };
      return bells.follow("parked", () => void lookForMine().catch(() => {}));
    },
  };
}

/** Looks at once, whenever the bell rings, and every second. */
async function until<Found>(
  look: () => Promise<Found | undefined>,
  listen: (listener: () => void) => () => void,
  signal: AbortSignal,
): Promise<Found> {
  let woken = Promise.withResolvers<void>();
  const stopListening = listen(() => woken.resolve());
  const stopAbort = onAbort(signal, () => woken.resolve());
  const timer = setInterval(() => woken.resolve(), lookMs);
  try {
    for (;;) {
      woken = Promise.withResolvers<void>();
      // The database may be away for a while: the answer is still there when it is back.
      const found = await look().catch(() => undefined);
      if (found !== undefined) return found;
      signal.throwIfAborted();
      await woken.promise;
    }
  } finally {
    stopListening();
    stopAbort();
    clearInterval(timer);
  }
}

export async function forgetParked(db: Statements, now: number): Promise<void> {
  await db.run("DELETE FROM toolgate.parked_calls WHERE expires_at <= $1", [now]);
}

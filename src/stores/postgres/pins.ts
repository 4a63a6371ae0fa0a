/** Definitions of upstream tools that every machine shares: what is accepted, and what was seen since. */
import type { Accepted, PinStore, Seen } from "../../core/ports/pins.ts";
import { onAbort } from "../../core/run/abort.ts";
import type { Bells } from "./bells.ts";
import type { Database, Statements } from "./database.ts";

type Kind = "accepted" | "seen" | "restart";

export function createPostgresPins(db: Database, bells: Bells): PinStore {
  const read = async <Part>(
    tx: Statements,
    key: string,
    kind: Kind,
    lock = "",
  ): Promise<Part | undefined> => {
    const [row] = await tx.query(`SELECT body FROM toolgate.pins WHERE key = $1 AND kind = $2${lock}`, [
      key,
      kind,
    ]);
    return row && (JSON.parse(String(row.body)) as Part);
  };
  const write = (tx: Statements, key: string, kind: Kind, part: object) =>
    tx.run(
      "INSERT INTO toolgate.pins VALUES ($1, $2, $3) ON CONFLICT (key, kind) DO UPDATE SET body = excluded.body",
      [key, kind, JSON.stringify(part)],
    );
  const seenOf = async (tx: Statements, key: string): Promise<Seen | undefined> =>
    read<Seen>(tx, key, "seen");
  return {
    accepted: (key) => read<Accepted>(db, key, "accepted"),
    async seen(key) {
      return seenOf(db, key).catch(() => undefined);
    },
    async acceptFirst(key, accepted) {
      const added = await db.run(
        "INSERT INTO toolgate.pins VALUES ($1, 'accepted', $2) ON CONFLICT DO NOTHING",
        [key, JSON.stringify(accepted)],
      );
      if (added === 0) return read<Accepted>(db, key, "accepted");
      bells.ring("pins");
      return undefined;
    },
    async change(key, change) {
      const next = await db.transaction(async (tx) => {
        // Two people who accept at the same time must not undo each other's answer.
        await tx.run("SELECT pg_advisory_xact_lock(hashtextextended($1, 29544))", [key]);
        const made = change(
          (await read<Accepted>(tx, key, "accepted")) ?? { tools: [] },
          await seenOf(tx, key),
        );
        await write(tx, key, "accepted", made);
        return made;
      });
      bells.ring("pins");
      return next;
    },
    async saw(key, seen) {
      const before = await seenOf(db, key);
      // Each start would otherwise write it, and wake every other process.
      if (before !== undefined && withoutTime(before) === withoutTime(seen)) return;
      await write(db, key, "seen", seen);
      bells.ring("pins");
    },
    async forget(key) {
      await db.run("DELETE FROM toolgate.pins WHERE key = $1", [key]);
      bells.ring("pins");
    },
    async askRestart(key) {
      await db.run(
        `INSERT INTO toolgate.pins VALUES ($1, 'restart', (extract(epoch FROM clock_timestamp()) * 1000)::text)
         ON CONFLICT (key, kind) DO UPDATE SET body = excluded.body`,
        [key],
      );
      bells.ring("pins");
    },
    restartAskedAt: (key) => read<number>(db, key, "restart"),
    async *changes(signal) {
      let woken = Promise.withResolvers<void>();
      const wake = () => woken.resolve();
      const stopListening = bells.listen("pins", wake);
      const stopAbort = onAbort(signal, wake);
      try {
        // What changed before somebody listened.
        for (;;) {
          if (signal.aborted) return;
          woken = Promise.withResolvers<void>();
          yield;
          await woken.promise;
        }
      } finally {
        stopListening();
        stopAbort();
      }
    },
  };
}

function withoutTime({ at: _at, ...what }: Seen): string {
  return JSON.stringify(what);
}

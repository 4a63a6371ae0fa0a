/** Which sessions of MCP clients are over, on all machines: a client that comes back to any of them hears so. */
import type { EndedClients } from "../../core/ports/ended-clients.ts";
import type { PostgresContext } from "./context.ts";
import type { Statements } from "./database.ts";

/** What was committed later than something newer is found all the same. */
const overlapMs = 60_000;
const keepMs = 30 * 86_400_000;

export function createEndedClients({ db, bells, clock }: PostgresContext): EndedClients {
  return {
    async end(name) {
      await db.run("INSERT INTO toolgate.ended_clients VALUES ($1, $2) ON CONFLICT (name) DO NOTHING", [
        name,
        clock.now(),
      ]);
      bells.ring("clients");
    },
    async has(name) {
      const rows = await db.look("SELECT 1 AS one FROM toolgate.ended_clients WHERE name = $1", [name]);
      return rows.length > 0;
    },
    listen(hear) {
      let since = clock.now();
      let looking = false;
      const look = async () => {
        if (looking) return;
        looking = true;
        try {
          const now = clock.now();
          const rows = await db.look("SELECT name FROM toolgate.ended_clients WHERE at > $1", [
            since - overlapMs,
          ]);
          since = now;
          for (const { name } of rows) hear(String(name));
        } catch {
          // What cannot be read now is read by the next look.
        } finally {
          looking = false;
        }
      };
      return bells.follow("clients", () => void look());
    },
  };
}

export async function forgetEndedClients(db: Statements, now: number): Promise<void> {
  await db.run("DELETE FROM toolgate.ended_clients WHERE at < $1", [now - keepMs]);
}

/** Sessions that every machine sees; the one that runs a session is named in it. */
import type { SessionStore } from "../../../core/ports/sessions.ts";
import { cleanSessions } from "../../port/clean-sessions.ts";
import { toItem, toSession } from "../../port/session-rows.ts";
import type { PostgresContext } from "../context.ts";
import { createSessionChanges } from "./session-changes.ts";
import { promptsOf } from "./session-rows.ts";

export function createPostgresSessions(context: PostgresContext): SessionStore {
  const { db, bells, redactor } = context;
  const sessions: SessionStore = {
    ...createSessionChanges(context),
    async get(id) {
      const [row] = await db.look("SELECT body FROM toolgate.sessions WHERE id = $1", [id]);
      return row && toSession(row);
    },
    async list({ owner, states, parent, after, limit: wanted = 50 } = {}) {
      const limit = Math.min(wanted, 500);
      const rows = await db.look(
        `SELECT body FROM toolgate.sessions
         WHERE ($1::text IS NULL OR owner = $1) AND ($2::text IS NULL OR parent = $2)
           AND ($3::text[] IS NULL OR state = ANY($3))
           AND ($4::text IS NULL OR number < (SELECT number FROM toolgate.sessions WHERE id = $4))
         ORDER BY number DESC LIMIT $5`,
        [owner ?? null, parent ?? null, states ?? null, after ?? null, limit + 1],
      );
      const found = rows.slice(0, limit).map(toSession);
      return { sessions: found, next: rows.length > limit ? found.at(-1)?.id : undefined };
    },
    prompts: (id) => promptsOf(db, id),
    async items(id, { after = 0, limit = 500 } = {}) {
      const rows = await db.look(
        "SELECT * FROM toolgate.session_items WHERE session = $1 AND seq > $2 ORDER BY seq LIMIT $3",
        [id, after, Math.min(limit, 5_000)],
      );
      return rows.map(toItem);
    },
    async asked(process) {
      const rows = await db.look(
        `SELECT id FROM toolgate.sessions AS s WHERE process = $1 AND (body::json -> 'cancelAsked' IS NOT NULL
           OR EXISTS (SELECT 1 FROM toolgate.session_prompts AS p WHERE p.session = s.id AND p.state = 'queued'))`,
        [process],
      );
      return rows.map(({ id }) => String(id));
    },
    async leftAgents() {
      const rows = await db.look(
        "SELECT body FROM toolgate.sessions WHERE process IS NULL AND body::json -> 'agentProcess' IS NOT NULL",
      );
      return rows.map(toSession);
    },
    onChange: (listener) => bells.listen("sessions", listener),
  };
  return cleanSessions(sessions, redactor);
}

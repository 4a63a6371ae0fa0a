// Bare inserts: the same columns, indexes and bytes, what came meanwhile in one statement, two statements at a time. Nothing is
// redacted, hashed, numbered in order or signed, and nobody waits for anybody.

import { randomUUID } from "node:crypto";
import pg from "pg";
import { records } from "../ledger/recorded-call.mjs";

const mostInFlight = 2;
const insert = `INSERT INTO bare (hash, body, kind, at, recorded_at, call_id, tool, caller, verdict, duration_ms)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::double precision[])`;

export async function openBare(url) {
  const pool = new pg.Pool({ connectionString: url, max: mostInFlight });
  await pool.query(`SELECT pg_advisory_lock(1); CREATE TABLE IF NOT EXISTS bare (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hash text NOT NULL, body text NOT NULL, kind text NOT NULL, at bigint NOT NULL, recorded_at bigint NOT NULL, call_id text, tool text,
    caller text, session_id text, verdict text, code text, duration_ms double precision);
    CREATE INDEX IF NOT EXISTS bare_by_call ON bare (call_id);
    CREATE INDEX IF NOT EXISTS bare_by_session ON bare (session_id, seq) WHERE session_id IS NOT NULL;
    CREATE INDEX IF NOT EXISTS bare_intents ON bare (seq) WHERE kind = 'intent'; SELECT pg_advisory_unlock(1)`);
  const hash = randomUUID().replaceAll("-", "").repeat(2);
  let waiting = [];
  let running = 0;
  const add = (kind, facts) =>
    new Promise((resolve, reject) => {
      waiting.push({ kind, facts, resolve, reject });
      setImmediate(write);
    });
  async function write() {
    if (waiting.length === 0 || running >= mostInFlight) return;
    running++;
    const group = waiting;
    waiting = [];
    const column = (value) => group.map(value);
    try {
      await pool.query(insert, [
        column(() => hash),
        column(({ facts }) => JSON.stringify(facts)),
        column(({ kind }) => kind),
        column(({ facts }) => facts.at),
        column(({ facts }) => facts.at),
        column(({ facts }) => facts.callId),
        column(({ facts }) => facts.tool),
        column(({ facts }) => facts.caller),
        column(({ facts }) => facts.verdict ?? null),
        column(({ facts }) => facts.durationMs ?? null),
      ]);
      for (const { resolve } of group) resolve();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    running--;
    write();
  }
  return {
    async call(callId) {
      const { intent, completion } = records(callId);
      await add("intent", intent);
      await add("completion", completion);
    },
    verify: async () => undefined,
    close: () => pool.end(),
  };
}

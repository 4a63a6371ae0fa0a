/** Step 6: sessions of agents that the gate runs, their prompts and their log. */

export const sessions = `
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  number INTEGER NOT NULL UNIQUE,
  owner TEXT NOT NULL,
  idempotency_key TEXT,
  parent TEXT,
  state TEXT NOT NULL,
  -- The real folder that one writing session may use at a time.
  folder TEXT,
  -- Of the table processes: who runs it.
  process TEXT,
  -- JSON: everything about it, also what stands in the columns.
  body TEXT NOT NULL
);
CREATE UNIQUE INDEX sessions_by_key ON sessions (owner, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX sessions_by_folder ON sessions (folder) WHERE folder IS NOT NULL;
CREATE INDEX sessions_by_process ON sessions (process) WHERE process IS NOT NULL;
CREATE INDEX sessions_by_owner ON sessions (owner, number);

CREATE TABLE session_items (
  session TEXT NOT NULL,
  seq INTEGER NOT NULL,
  turn INTEGER NOT NULL,
  kind TEXT NOT NULL,
  item_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (session, seq)
);

CREATE TABLE session_prompts (
  session TEXT NOT NULL,
  number INTEGER NOT NULL,
  id TEXT NOT NULL,
  idempotency_key TEXT,
  state TEXT NOT NULL,
  turn INTEGER,
  sent_by TEXT NOT NULL,
  at INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (session, number)
);
`;

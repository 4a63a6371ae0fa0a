/** Step 1: who is alive, and the ledger with its chain. */

export const processesAndLedger = `
CREATE TABLE processes (
  id TEXT PRIMARY KEY,
  host TEXT NOT NULL,
  boot TEXT NOT NULL,
  pid_space TEXT NOT NULL,
  pid INTEGER NOT NULL,
  start_ticks INTEGER,
  started_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT;

-- Written once, never changed: the hash of a row covers the body and the row before.
CREATE TABLE ledger (
  seq INTEGER PRIMARY KEY,
  hash TEXT NOT NULL,
  body TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('intent', 'completion', 'unknown', 'end', 'note')),
  at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  call_id TEXT,
  tool TEXT,
  caller TEXT,
  session_id TEXT,
  verdict TEXT,
  code TEXT,
  duration_ms REAL
) STRICT;
-- No index by time: recorded_at never falls from row to row, so a time is found by halving. An index would make every row a quarter more expensive.
CREATE INDEX ledger_by_call ON ledger (call_id);

-- One row: where the chain ends, and where it begins after retention cut it.
CREATE TABLE ledger_head (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  ledger_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  cut_seq INTEGER NOT NULL,
  cut_hash TEXT NOT NULL,
  checkpoint_seq INTEGER NOT NULL,
  checkpoint_at INTEGER NOT NULL
) STRICT;

-- For each process: before this row it has left nothing open. What a dead one left open is looked for only from here on.
CREATE TABLE ledger_writers (
  process_id TEXT PRIMARY KEY,
  open_from_seq INTEGER NOT NULL
) STRICT;

-- How much of each of the hook's spool files is in the ledger.
CREATE TABLE ledger_spool (
  name TEXT PRIMARY KEY,
  inode TEXT NOT NULL,
  taken_bytes INTEGER NOT NULL
) STRICT;
`;

/** The ledger's SQL, in the dialect that PostgreSQL shares. */

export const statements = {
  head: "SELECT ledger_id, seq, hash, recorded_at, cut_seq, cut_hash, checkpoint_seq, checkpoint_at FROM ledger_head WHERE id = 1",
  makeHead:
    "INSERT INTO ledger_head (id, ledger_id, seq, hash, recorded_at, cut_seq, cut_hash, checkpoint_seq, checkpoint_at) VALUES (1, ?, 0, ?, 0, 0, ?, 0, 0) ON CONFLICT DO NOTHING",
  moveHead: "UPDATE ledger_head SET seq = ?, hash = ?, recorded_at = ? WHERE id = 1",
  touchHead: "UPDATE ledger_head SET seq = seq WHERE id = 1",
  moveCut: "UPDATE ledger_head SET cut_seq = ?, cut_hash = ? WHERE id = 1",
  moveCheckpoint: "UPDATE ledger_head SET checkpoint_seq = ?, checkpoint_at = ? WHERE id = 1",
  append:
    "INSERT INTO ledger (seq, hash, body, kind, at, recorded_at, call_id, tool, caller, session_id, verdict, code, duration_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  page: "SELECT * FROM ledger WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
  ofCall: "SELECT * FROM ledger WHERE call_id = ? ORDER BY seq LIMIT 1000",
  ofSeq: "SELECT * FROM ledger WHERE seq = ?",
  hashOf: "SELECT hash FROM ledger WHERE seq = ?",
  stray: "SELECT seq FROM ledger WHERE seq <= ? OR seq > ? ORDER BY seq LIMIT 1",
  setWriter:
    "INSERT INTO ledger_writers (process_id, open_from_seq) VALUES (?, ?) ON CONFLICT (process_id) DO UPDATE SET open_from_seq = excluded.open_from_seq",
  removeWriter: "DELETE FROM ledger_writers WHERE process_id = ?",
  writer: "SELECT open_from_seq FROM ledger_writers WHERE process_id = ?",
  firstOpen: "SELECT min(open_from_seq) AS seq FROM ledger_writers",
  openIntents: `SELECT * FROM ledger AS i WHERE i.seq >= ? AND i.kind = 'intent' AND NOT EXISTS
     (SELECT 1 FROM ledger AS c WHERE c.call_id = i.call_id AND c.kind IN ('completion', 'unknown')) ORDER BY i.seq`,
  spoolFile: "SELECT inode, taken_bytes FROM ledger_spool WHERE name = ?",
  journals: "SELECT name FROM ledger_spool WHERE name LIKE 'journal/%'",
  forgetSpool: "DELETE FROM ledger_spool WHERE name = ?",
  moveSpool:
    "INSERT INTO ledger_spool (name, inode, taken_bytes) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET inode = excluded.inode, taken_bytes = excluded.taken_bytes",
  recordedAt: "SELECT recorded_at FROM ledger WHERE seq = ?",
  told: "SELECT text FROM ledger_told WHERE name = ?",
  tell: "INSERT INTO ledger_told (name, text) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET text = excluded.text",
  removeUpTo: "DELETE FROM ledger WHERE seq <= ?",
} as const;

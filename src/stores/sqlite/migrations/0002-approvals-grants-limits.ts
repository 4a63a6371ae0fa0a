/** Step 2: what waits for a person, what a person allowed for longer, and what limits count. */

export const approvalsGrantsLimits = `
-- input: secrets taken out, for people. input_hash: of the real one, for the binding. sealed_input: readable for the waiting process only.
CREATE TABLE approvals (
  id TEXT PRIMARY KEY,
  number INTEGER NOT NULL,
  process_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'denied', 'expired', 'withdrawn', 'claimed', 'done', 'unknown')),
  principal TEXT NOT NULL,
  tool_id TEXT NOT NULL,
  definition_hash TEXT NOT NULL,
  input_hash TEXT NOT NULL,
  policy_version INTEGER NOT NULL,
  call_id TEXT NOT NULL,
  session_id TEXT,
  tool_use_id TEXT,
  project TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  input TEXT NOT NULL,
  redactions INTEGER NOT NULL,
  reason TEXT NOT NULL,
  rule TEXT,
  reject_others INTEGER NOT NULL,
  seal_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  answered_at INTEGER,
  answered_by TEXT,
  answer TEXT,
  because_of TEXT,
  sealed_input TEXT,
  approved_input_hash TEXT,
  ended_at INTEGER
) STRICT;
CREATE INDEX approvals_by_state ON approvals (state, number);
CREATE INDEX approvals_by_end ON approvals (ended_at);

CREATE TABLE grants (
  id TEXT PRIMARY KEY,
  number INTEGER NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('session', 'project', 'user')),
  principal TEXT NOT NULL,
  session_id TEXT,
  project TEXT,
  tool_id TEXT NOT NULL,
  definition_hash TEXT NOT NULL,
  input_hash TEXT,
  granted_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER
) STRICT;
CREATE INDEX grants_by_tool ON grants (principal, tool_id);

-- How many calls came at which millisecond, until no window looks at them any more.
CREATE TABLE limit_calls (
  limit_name TEXT NOT NULL,
  who TEXT NOT NULL,
  at INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  leaves_at INTEGER NOT NULL,
  PRIMARY KEY (limit_name, who, at)
) STRICT;
CREATE INDEX limit_calls_by_end ON limit_calls (leaves_at);

-- One row for each place that a running call holds.
CREATE TABLE limit_places (
  call_number TEXT NOT NULL,
  claim INTEGER NOT NULL,
  limit_name TEXT NOT NULL,
  who TEXT NOT NULL,
  process_id TEXT NOT NULL,
  PRIMARY KEY (call_number, claim)
) STRICT;
CREATE INDEX limit_places_by_limit ON limit_places (limit_name, who);
CREATE INDEX limit_places_by_process ON limit_places (process_id);
`;

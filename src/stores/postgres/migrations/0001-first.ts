/** Step 1: everything that is kept, as of the first version with PostgreSQL. */

export const first = `
-- Who uses the store. Times by the clock of the database.
CREATE TABLE toolgate.nodes (
  id text PRIMARY KEY,
  host text NOT NULL,
  boot text NOT NULL,
  pid_space text NOT NULL,
  pid bigint NOT NULL,
  start_ticks bigint,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen timestamptz NOT NULL DEFAULT now(),
  schema_version integer NOT NULL,
  -- Before this row it has left nothing open. What a dead one left open is looked for only from here on.
  open_from_seq bigint NOT NULL
);

-- One row: where the chain ends, and where it begins after retention cut it.
CREATE TABLE toolgate.ledger_head (
  id integer PRIMARY KEY CHECK (id = 1),
  ledger_id text NOT NULL,
  block bigint NOT NULL,
  seq bigint NOT NULL,
  prev text NOT NULL,
  hash text NOT NULL,
  recorded_at bigint NOT NULL,
  cut_block bigint NOT NULL,
  cut_seq bigint NOT NULL,
  cut_hash text NOT NULL
);

CREATE TABLE toolgate.ledger_block (
  block bigint PRIMARY KEY,
  first_seq bigint NOT NULL UNIQUE,
  rows integer NOT NULL CHECK (rows > 0),
  root text NOT NULL,
  -- A second block after the same one is an error, not a fork.
  prev text NOT NULL UNIQUE,
  hash text NOT NULL UNIQUE,
  at bigint NOT NULL,
  writer text NOT NULL,
  writer_block bigint NOT NULL,
  -- A block that is sent again after its connection broke is there once.
  UNIQUE (writer, writer_block)
);

CREATE TABLE toolgate.ledger (
  seq bigint PRIMARY KEY,
  block bigint NOT NULL,
  hash text NOT NULL,
  body text NOT NULL,
  kind text NOT NULL,
  at bigint NOT NULL,
  recorded_at bigint NOT NULL,
  call_id text,
  tool text,
  caller text,
  session_id text,
  verdict text,
  code text,
  duration_ms double precision
);
CREATE INDEX ledger_by_call ON toolgate.ledger (call_id);
CREATE INDEX ledger_by_session ON toolgate.ledger (session_id, seq) WHERE session_id IS NOT NULL;
CREATE INDEX ledger_intents ON toolgate.ledger (seq) WHERE kind = 'intent';

-- Rows are written once. Retention says so in its transaction.
CREATE FUNCTION toolgate.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('toolgate.retention', true) = 'on' THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'rows of the ledger are never changed or removed';
END $$;
CREATE TRIGGER ledger_is_kept BEFORE UPDATE OR DELETE ON toolgate.ledger
  FOR EACH ROW EXECUTE FUNCTION toolgate.refuse_change();
CREATE TRIGGER ledger_block_is_kept BEFORE UPDATE OR DELETE ON toolgate.ledger_block
  FOR EACH ROW EXECUTE FUNCTION toolgate.refuse_change();

CREATE TABLE toolgate.ledger_checkpoints (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  seq bigint NOT NULL,
  hash text NOT NULL,
  line_hash text NOT NULL UNIQUE,
  line text NOT NULL
);
-- Each place that signs has a key of its own. The ledger itself notes each of them, too.
CREATE TABLE toolgate.ledger_keys (
  pem text PRIMARY KEY,
  place text NOT NULL
);
CREATE TABLE toolgate.ledger_told (
  name text PRIMARY KEY,
  text text NOT NULL
);
-- How much of each file of hooks is in the ledger, for each state folder.
CREATE TABLE toolgate.ledger_spool (
  place text NOT NULL,
  name text NOT NULL,
  inode text NOT NULL,
  taken_bytes bigint NOT NULL,
  PRIMARY KEY (place, name)
);

CREATE TABLE toolgate.approvals (
  id text PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY,
  process_id text NOT NULL,
  state text NOT NULL,
  principal text NOT NULL,
  tool_id text NOT NULL,
  definition_hash text NOT NULL,
  input_hash text NOT NULL,
  policy_version bigint NOT NULL,
  call_id text NOT NULL,
  session_id text,
  tool_use_id text,
  agent text,
  project text NOT NULL,
  title text NOT NULL,
  description text NOT NULL,
  input text NOT NULL,
  redactions integer NOT NULL,
  meaning text NOT NULL,
  meaning_hash text NOT NULL,
  reason text NOT NULL,
  rule text,
  reject_others boolean NOT NULL,
  seal_key text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  answered_at bigint,
  answered_by text,
  answer text,
  because_of text,
  sealed_input text,
  approved_input_hash text,
  ended_at bigint
);
CREATE INDEX approvals_by_state ON toolgate.approvals (state, number);
CREATE INDEX approvals_by_tool ON toolgate.approvals (tool_id, number);
CREATE INDEX approvals_by_end ON toolgate.approvals (ended_at);

CREATE TABLE toolgate.grants (
  id text PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY,
  scope text NOT NULL,
  principal text NOT NULL,
  session_id text,
  project text,
  tool_id text NOT NULL,
  definition_hash text NOT NULL,
  input_hash text,
  meaning_hash text NOT NULL,
  granted_by text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint
);
CREATE INDEX grants_by_tool ON toolgate.grants (principal, tool_id);

-- How many calls came at which millisecond, until no window looks at them any more.
CREATE TABLE toolgate.limit_calls (
  limit_name text NOT NULL,
  who text NOT NULL,
  at bigint NOT NULL,
  calls integer NOT NULL,
  leaves_at bigint NOT NULL,
  PRIMARY KEY (limit_name, who, at)
);
CREATE INDEX limit_calls_by_end ON toolgate.limit_calls (leaves_at);
-- One row for each place that a running call holds.
CREATE TABLE toolgate.limit_places (
  call_number text NOT NULL,
  claim integer NOT NULL,
  limit_name text NOT NULL,
  who text NOT NULL,
  process_id text NOT NULL,
  PRIMARY KEY (call_number, claim)
);
CREATE INDEX limit_places_by_limit ON toolgate.limit_places (limit_name, who);
CREATE INDEX limit_places_by_process ON toolgate.limit_places (process_id);

CREATE TABLE toolgate.sessions (
  id text PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY,
  owner text NOT NULL,
  idempotency_key text,
  parent text,
  state text NOT NULL,
  folder text,
  process text,
  body text NOT NULL
);
CREATE UNIQUE INDEX sessions_by_key ON toolgate.sessions (owner, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX sessions_by_number ON toolgate.sessions (number);
CREATE INDEX sessions_by_folder ON toolgate.sessions (folder) WHERE folder IS NOT NULL;
CREATE INDEX sessions_by_process ON toolgate.sessions (process) WHERE process IS NOT NULL;
CREATE TABLE toolgate.session_items (
  session text NOT NULL,
  seq bigint NOT NULL,
  turn integer NOT NULL,
  kind text NOT NULL,
  item_id text NOT NULL,
  at bigint NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (session, seq)
);
CREATE TABLE toolgate.session_prompts (
  session text NOT NULL,
  number integer NOT NULL,
  id text NOT NULL,
  idempotency_key text,
  state text NOT NULL,
  turn integer,
  sent_by text NOT NULL,
  at bigint NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (session, number)
);

CREATE TABLE toolgate.pins (
  key text NOT NULL,
  kind text NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (key, kind)
);
CREATE TABLE toolgate.tokens (
  id integer PRIMARY KEY CHECK (id = 1),
  version bigint NOT NULL,
  list text NOT NULL
);
INSERT INTO toolgate.tokens VALUES (1, 0, '[]');

-- What every process has in memory: ended tasks, plan modes. NULL: no longer so.
CREATE TABLE toolgate.facts (
  kind text NOT NULL,
  key text NOT NULL,
  value text,
  origin text NOT NULL,
  changed bigint NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (kind, key)
);
CREATE INDEX facts_by_change ON toolgate.facts (changed);
CREATE SEQUENCE toolgate.fact_changes;
`;

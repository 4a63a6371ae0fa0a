/** Step 3: what makes replicas one: their rules' version, a secret of all, calls that wait for their client's answers. */

export const replicas = `
-- Of whoever serves: replicas that decide by other rules are told of.
ALTER TABLE toolgate.nodes ADD COLUMN rules_version text;

-- Seals what clients carry from one replica to another.
CREATE TABLE toolgate.shared_secret (
  id integer PRIMARY KEY CHECK (id = 1),
  secret text NOT NULL
);

-- A call that waits in one process while its client comes back to another. Texts are sealed for the process that reads them.
CREATE TABLE toolgate.parked_calls (
  id text PRIMARY KEY,
  process_id text NOT NULL,
  turn integer NOT NULL,
  expires_at bigint NOT NULL,
  seal_key text NOT NULL,
  came_by text,
  came_seal_key text,
  came text,
  taken boolean NOT NULL DEFAULT false,
  answer text
);
CREATE INDEX parked_calls_by_process ON toolgate.parked_calls (process_id);
`;

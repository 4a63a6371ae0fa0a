/**
 * Step 4: a process may take a chunk of a limit at once, which is counted as if it were used when the lease ends; and a
 * session of an MCP client that was ended on one machine is over on all of them.
 */

export const leasesAndClients = `
CREATE FUNCTION toolgate.limits_lease(
  name text, whose text, max_calls bigint, window_ms bigint, now_ms bigint, ends_ms bigint, wanted bigint
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  taken bigint;
  granted bigint;
BEGIN
  -- The same lock as of a call that is counted by itself.
  PERFORM pg_advisory_xact_lock(hashtextextended(name || E'\\n' || whose, 29543));
  SELECT COALESCE(SUM(l.calls), 0) INTO taken FROM toolgate.limit_calls l WHERE l.limit_name = name
    AND l.who = whose AND l.at > now_ms - window_ms AND l.at <= now_ms + window_ms;
  granted := GREATEST(0, LEAST(wanted, max_calls - taken));
  IF granted > 0 THEN
    INSERT INTO toolgate.limit_calls AS l VALUES (name, whose, ends_ms, granted, ends_ms + window_ms)
      ON CONFLICT (limit_name, who, at) DO UPDATE SET calls = l.calls + excluded.calls;
  END IF;
  RETURN granted;
END $$;

CREATE TABLE toolgate.ended_clients (
  name text PRIMARY KEY,
  at bigint NOT NULL
);
CREATE INDEX ended_clients_by_time ON toolgate.ended_clients (at);
`;

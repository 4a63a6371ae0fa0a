/** Limits are looked at and counted by one statement: a call waits for one round trip, whatever it is limited by. */

/**
 * Claims are locked in one order, so that two calls never wait for each other. Gives the first claim that does not fit;
 * nothing: everything is counted. With a dry look nothing is locked or counted. `dead_after` is of the first version and not
 * looked at any more; processes of that version still give it.
 */
export const limitsFunction = `
CREATE OR REPLACE FUNCTION toolgate.limits_take(
  claims jsonb, now_ms bigint, call text, node text, dead_after interval, dry boolean
) RETURNS TABLE (index integer, why text, retry_ms bigint) LANGUAGE plpgsql AS $$
DECLARE
  c record;
  taken bigint;
  newest bigint;
  key bigint;
BEGIN
  IF NOT dry THEN
    FOR key IN
      SELECT DISTINCT hashtextextended((x ->> 'limit') || E'\\n' || (x ->> 'who'), 29543)
      FROM jsonb_array_elements(claims) AS x ORDER BY 1
    LOOP
      PERFORM pg_advisory_xact_lock(key);
    END LOOP;
  END IF;
  FOR c IN
    SELECT (n - 1)::integer AS place, x ->> 'limit' AS name, x ->> 'who' AS who, (x ->> 'max')::bigint AS max,
      (x ->> 'windowMs')::bigint AS window_ms, (x ->> 'concurrent')::bigint AS concurrent
    FROM jsonb_array_elements(claims) WITH ORDINALITY AS t(x, n) ORDER BY n
  LOOP
    IF c.concurrent IS NOT NULL THEN
      SELECT count(*) INTO taken FROM toolgate.limit_places p
        WHERE p.limit_name = c.name AND p.who = c.who AND (p.process_id = node OR EXISTS
          (SELECT 1 FROM toolgate.nodes n WHERE n.id = p.process_id AND toolgate.is_living(n.seen)));
      IF taken >= c.concurrent THEN
        RETURN QUERY SELECT c.place, 'concurrent'::text, NULL::bigint;
        RETURN;
      END IF;
    END IF;
    IF c.max IS NOT NULL THEN
      IF c.max = 0 THEN
        RETURN QUERY SELECT c.place, 'window'::text, c.window_ms;
        RETURN;
      END IF;
      -- A clock that was set back must not close a limit for longer than a window.
      SELECT COALESCE(SUM(l.calls), 0) INTO taken FROM toolgate.limit_calls l WHERE l.limit_name = c.name
        AND l.who = c.who AND l.at > now_ms - c.window_ms AND l.at <= now_ms + c.window_ms;
      IF taken >= c.max THEN
        SELECT MAX(s.at) INTO newest FROM (
          SELECT l.at, SUM(l.calls) OVER (ORDER BY l.at DESC) AS so_far FROM toolgate.limit_calls l
          WHERE l.limit_name = c.name AND l.who = c.who AND l.at > now_ms - c.window_ms AND l.at <= now_ms + c.window_ms
        ) AS s WHERE s.so_far >= c.max;
        RETURN QUERY SELECT c.place, 'window'::text, GREATEST(1, newest + c.window_ms - now_ms);
        RETURN;
      END IF;
    END IF;
  END LOOP;
  IF dry THEN RETURN; END IF;
  FOR c IN
    SELECT (n - 1)::integer AS place, x ->> 'limit' AS name, x ->> 'who' AS who,
      (x ->> 'windowMs')::bigint AS window_ms, (x ->> 'concurrent')::bigint AS concurrent
    FROM jsonb_array_elements(claims) WITH ORDINALITY AS t(x, n) ORDER BY n
  LOOP
    IF c.window_ms IS NOT NULL THEN
      DELETE FROM toolgate.limit_calls l WHERE l.limit_name = c.name AND l.who = c.who AND l.leaves_at <= now_ms;
      INSERT INTO toolgate.limit_calls AS l VALUES (c.name, c.who, now_ms, 1, now_ms + c.window_ms)
        ON CONFLICT (limit_name, who, at) DO UPDATE SET calls = l.calls + 1, leaves_at = excluded.leaves_at;
    END IF;
    IF c.concurrent IS NOT NULL THEN
      INSERT INTO toolgate.limit_places VALUES (call, c.place, c.name, c.who, node);
    END IF;
  END LOOP;
END $$;
`;

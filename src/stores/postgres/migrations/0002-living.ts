/** Step 2: who counts as living. Right after the server of the database has started, nobody could have said so. */

export const living = `
CREATE FUNCTION toolgate.is_living(seen timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT seen > clock_timestamp() - interval '20 seconds'
    OR pg_postmaster_start_time() > clock_timestamp() - interval '20 seconds'
$$;
`;

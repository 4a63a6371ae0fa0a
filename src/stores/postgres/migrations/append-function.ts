/**
 * Adds a block: a role that may run this function, and write to no table of the ledger, can neither change a record nor
 * move the head back. With the rights of whoever made the tables.
 */
import { blockMark } from "../../ledger/blocks.ts";

const time =
  "GREATEST(recorded_at, COALESCE($18::bigint, floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint), $2::bigint)";

/** The same text as `blockHash` of stores/ledger/blocks.ts. */
const header = `'${blockMark}' || E'\\n' || hash || E'\\n' || (block + 1) || E'\\n' || (seq + 1) || E'\\n' || $1::integer
    || E'\\n' || $3::text || E'\\n' || ${time} || E'\\n' || $4::text || E'\\n' || $5::bigint`;

/** `me`: held until the commit, so whoever deals with the dead waits for it; deleted meanwhile, it is not found. */
const statement = `
WITH me AS (
  SELECT 1 FROM toolgate.nodes WHERE id = $4 FOR KEY SHARE
), h AS (
  UPDATE toolgate.ledger_head SET block = block + 1, seq = seq + $1::integer, recorded_at = ${time}, prev = hash,
    hash = encode(sha256(convert_to(${header}, 'UTF8')), 'hex')
  WHERE id = 1 AND ledger_id = $6 AND (NOT $19::boolean OR EXISTS (SELECT 1 FROM me))
  RETURNING block, seq, prev, hash, recorded_at
), b AS (
  INSERT INTO toolgate.ledger_block (block, first_seq, rows, root, prev, hash, at, writer, writer_block)
  SELECT block, seq - $1::integer + 1, $1::integer, $3, prev, hash, recorded_at, $4, $5 FROM h
), r AS (
  INSERT INTO toolgate.ledger (seq, block, hash, body, kind, at, recorded_at, call_id, tool, caller, session_id,
    verdict, code, duration_ms)
  SELECT h.seq - $1::integer + t.place, h.block, t.hash, t.body, t.kind, t.at, h.recorded_at, t.call_id, t.tool,
    t.caller, t.session_id, t.verdict, t.code, t.duration_ms
  FROM h, unnest($7::text[], $8::text[], $9::text[], $10::bigint[], $11::text[], $12::text[], $13::text[],
    $14::text[], $15::text[], $16::text[], $17::double precision[]) WITH ORDINALITY
    AS t(hash, body, kind, at, call_id, tool, caller, session_id, verdict, code, duration_ms, place)
)
SELECT h.seq INTO made FROM h`;

const parameters = [
  ...["integer", "bigint", "text", "text", "bigint", "text"],
  ...["text[]", "text[]", "text[]", "bigint[]", "text[]", "text[]", "text[]", "text[]", "text[]", "text[]"],
  ...["double precision[]", "bigint", "boolean"],
];

/** Gives the number of the last row; nothing: the head is another one, or the writer is taken for dead. */
export const appendFunction = `
CREATE FUNCTION toolgate.ledger_append(${parameters.join(", ")}) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
#variable_conflict use_column
DECLARE
  made bigint;
BEGIN
  ${statement};
  RETURN made;
END $body$;
REVOKE EXECUTE ON FUNCTION toolgate.ledger_append FROM PUBLIC;
`;

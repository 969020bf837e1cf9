/**
 * Database functions that enter exchanges in the ledger. A version of the schema that changed how rows are found has
 * replaced them.
 */

/** Locks are taken in the order that `accounting.ts` describes. */
export const LEDGER_LOCK = 7_264_001;
const LOST_LOCK = 7_264_002;

/**
 * All tables are accessed by index. PostgreSQL caches the plans of functions, and a plan made while the tables were
 * small would read whole tables.
 */
export const INDEXED = 'SET enable_seqscan = off';

/** The times at which a row of the same exchange can be. */
const LOOKED_FOR = (at: string) => `BETWEEN ${at} - interval '1 day' AND ${at} + interval '1 day'`;

/** How rows are found: by their IDs alone, or in the partitions of some days. */
function rowsOf(isPartitioned: boolean) {
  /** Text that only partitions need. */
  const part = (text: string) => (isPartitioned ? text : '');
  return isPartitioned
    ? { part, create: 'CREATE OR REPLACE FUNCTION', sumUp: 'sum_up_6', times: ', earliest, latest', key: 'id, at' }
    : { part, create: 'CREATE FUNCTION', sumUp: 'sum_up_1', times: '', key: 'id' };
}

/**
 * Enters exchanges that have ended, each only once, and releases their reservations. Replaces the row of an exchange
 * that was taken for lost.
 * @returns the IDs of the new and the replaced rows.
 */
export function enteringRows(isPartitioned: boolean): string {
  const { part, create, sumUp, times, key } = rowsOf(isPartitioned);
  const within = part(' AND e.at BETWEEN earliest AND latest');
  return `
  ${create} enter_1(of_replica text, rows jsonb) RETURNS SETOF text LANGUAGE plpgsql ${INDEXED} AS $$
  #variable_conflict use_column
  DECLARE
    ids text[] := ARRAY(SELECT value ->> 'id' FROM jsonb_array_elements(rows));
    ${part(`earliest timestamptz := (SELECT min(to_timestamp(r.at / 1000.0)) FROM jsonb_to_recordset(rows) r(at bigint))
      - interval '1 day';
    latest timestamptz := (SELECT max(to_timestamp(r.at / 1000.0)) FROM jsonb_to_recordset(rows) r(at bigint))
      + interval '1 day';`)}
    replaced text[] := lost_among_1(rows);
    entered text[];
  BEGIN
    IF cardinality(replaced) > 0 THEN
      PERFORM pg_advisory_xact_lock(${LEDGER_LOCK});
    ELSE
      PERFORM pg_advisory_xact_lock_shared(${LEDGER_LOCK});
      IF cardinality(lost_among_1(rows)) > 0 THEN
        RAISE EXCEPTION 'Exchanges were taken for lost meanwhile.' USING ERRCODE = 'serialization_failure';
      END IF;
    END IF;
    PERFORM lock_accounts_1(ids,
      ARRAY(SELECT DISTINCT s FROM jsonb_to_recordset(rows) r(key text, team text), unnest(ARRAY[r.key, r.team]) s
        WHERE s IS NOT NULL),
      ARRAY(SELECT DISTINCT day_of_1(to_timestamp(r.at / 1000.0)) FROM jsonb_to_recordset(rows) r(at bigint))
        || ARRAY(SELECT DISTINCT e.day FROM exchange e WHERE e.id = ANY (replaced)${within}));
    IF cardinality(replaced) > 0 THEN
      PERFORM ${sumUp}(replaced, -1${times});
      UPDATE exchange e SET at = g.at, replica = of_replica, client = g.client, model = g.model, upstream = g.upstream,
          status = g.status, ended = g.ended, input_tokens = g.input_tokens, output_tokens = g.output_tokens,
          cost = g.cost, is_estimated = g.is_estimated, details = g.details
        FROM given_rows_1(rows) g WHERE e.id = g.id AND e.id = ANY (replaced)${within};
    END IF;
    WITH inserted AS (
      INSERT INTO exchange (id, at, day, replica, key, team, client, model, upstream, status, ended, input_tokens,
          output_tokens, cost, is_estimated, details)
        SELECT g.id, g.at, coalesce(v.day, day_of_1(g.at)), of_replica, g.key, g.team, g.client, g.model, g.upstream,
          g.status, g.ended, g.input_tokens, g.output_tokens, g.cost, g.is_estimated, g.details
        FROM given_rows_1(rows) g LEFT JOIN reservation v ON v.id = g.id
        ${part(`WHERE NOT EXISTS (SELECT FROM exchange e WHERE e.id = g.id AND e.at ${LOOKED_FOR('g.at')})`)} ORDER BY g.id
        ON CONFLICT (${key}) DO NOTHING RETURNING id
    ) SELECT array_agg(id) INTO entered FROM inserted;
    PERFORM ${sumUp}(entered || replaced, 1${times});
    PERFORM release_1(ids);
    RETURN QUERY SELECT unnest(entered || replaced);
  END $$;
`;
}

export const GIVEN_ROWS = `
  CREATE FUNCTION given_rows_1(rows jsonb) RETURNS TABLE (id text, at timestamptz, key text, team text, client text,
    model text, upstream text, status int, ended text, input_tokens bigint, output_tokens bigint, cost bigint,
    is_estimated boolean, details jsonb) LANGUAGE sql STABLE AS $$
    SELECT r.id, to_timestamp(r.at / 1000.0), r.key, r.team, r.client, r.model, r.upstream, r.status, r.ended,
      r.input_tokens, r.output_tokens, r.cost, coalesce(r.is_estimated, false), coalesce(r.details, '{}')
    FROM jsonb_to_recordset(rows) r(id text, at bigint, key text, team text, client text, model text, upstream text,
      status int, ended text, input_tokens bigint, output_tokens bigint, cost bigint, is_estimated boolean, details jsonb)
  $$;
`;

export const LOST_AMONG = `
  CREATE FUNCTION lost_among_1(rows jsonb) RETURNS text[] LANGUAGE sql STABLE AS $$
    SELECT ARRAY(
      SELECT e.id FROM exchange e, jsonb_to_recordset(rows) r(id text, ended text)
      WHERE e.id = r.id AND e.ended = 'lost' AND r.ended <> 'lost'
    )
  $$;
`;

export const LOST_AMONG_PARTITIONS = `
  CREATE OR REPLACE FUNCTION lost_among_1(rows jsonb) RETURNS text[] LANGUAGE sql STABLE AS $$
    SELECT ARRAY(
      SELECT e.id FROM jsonb_to_recordset(rows) r(id text, at bigint, ended text)
        JOIN exchange e ON e.id = r.id AND e.at ${LOOKED_FOR('to_timestamp(r.at / 1000.0)')}
      WHERE e.ended = 'lost' AND r.ended <> 'lost'
    )
  $$;
`;

/**
 * Enters the reservations of dead replicas as spent, in rows with the end `lost`. If the real rows arrive later, they
 * replace them. After the database server has started, replicas get one lease to report first.
 * @param details of the rows, as an expression.
 * @returns the number of rows.
 */
export function settlingLost(isPartitioned: boolean, details = "'{}'"): string {
  const { part, create, sumUp, times, key } = rowsOf(isPartitioned);
  return `
  ${create} settle_lost_1(lease interval) RETURNS bigint LANGUAGE plpgsql ${INDEXED} AS $$
  #variable_conflict use_column
  DECLARE
    deadline timestamptz := clock_timestamp() - lease;
    ids text[];
    entered text[];
    ${part('earliest timestamptz; latest timestamptz;')}
  BEGIN
    IF pg_postmaster_start_time() > deadline OR NOT pg_try_advisory_xact_lock(${LOST_LOCK}) THEN
      RETURN 0;
    END IF;
    SELECT array_agg(id)${part(", min(at) - interval '1 day', max(at) + interval '1 day'")} INTO ids${times} FROM (
      SELECT v.id${part(', v.at')} FROM reservation v LEFT JOIN replica p ON p.id = v.replica
      WHERE v.at < deadline AND (p.id IS NULL OR p.seen_at < deadline) ORDER BY v.id LIMIT 500
    ) d;
    IF ids IS NULL THEN
      RETURN 0;
    END IF;
    PERFORM pg_advisory_xact_lock(${LEDGER_LOCK});
    PERFORM lock_accounts_1(ids, '{}', '{}');
    WITH inserted AS (
      INSERT INTO exchange (id, at, day, replica, key, team, model, ended, input_tokens, output_tokens, cost,
          is_estimated, details)
        SELECT v.id, v.at, v.day, v.replica, v.key, v.team, v.model, 'lost', v.input_tokens, v.output_tokens, v.cost,
          true, ${details}
        FROM reservation v
        WHERE v.id = ANY (ids)${part(` AND NOT EXISTS (SELECT FROM exchange e WHERE e.id = v.id AND e.at ${LOOKED_FOR('v.at')})`)}
        ORDER BY v.id
        ON CONFLICT (${key}) DO NOTHING RETURNING id
    ) SELECT array_agg(id) INTO entered FROM inserted;
    PERFORM ${sumUp}(entered, 1${times});
    PERFORM release_1(ids);
    RETURN cardinality(ids);
  END $$;
`;
}

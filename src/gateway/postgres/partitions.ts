import { INDEXED, LEDGER_LOCK, LOST_LOCK } from './accounting.ts';
import { SUMMING_WITHIN } from './summing.ts';

/**
 * The ledger in partitions by month (in UTC), so that old rows are removed with their table and the indexes that are
 * written to stay small. Replicas of earlier releases call the same functions and read the same columns.
 *
 * A partitioned table can only guarantee that `id` and `at` together are unique. The functions that enter exchanges
 * therefore also look for the ID within a day of the row, because the row of a lost exchange has the time of its
 * reservation. They look no further, so that they read one or two partitions.
 *
 * `exchange_until_…` has the rows from before; `exchange_other` those of a month without a partition.
 */
const KEEPING_LOCK = 7_264_004;

/** The times at which a row of the same exchange can be. */
const LOOKED_FOR = (at: string) => `BETWEEN ${at} - interval '1 day' AND ${at} + interval '1 day'`;

const MONTHS = `
  CREATE FUNCTION month_6(at timestamptz, months int) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
    SELECT (date_trunc('month', at AT TIME ZONE 'UTC') + months * interval '1 month') AT TIME ZONE 'UTC'
  $$;

  -- The end of a partition by its name; NULL for the partition of all other rows.
  CREATE FUNCTION month_of_6(partition text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT CASE
      WHEN partition ~ '^exchange_until_\\d{4}_\\d{2}$'
        THEN to_timestamp(right(partition, 7) || ' 01', 'YYYY_MM DD')::timestamp AT TIME ZONE 'UTC'
      WHEN partition ~ '^exchange_\\d{4}_\\d{2}$'
        THEN month_6(to_timestamp(right(partition, 7) || ' 01', 'YYYY_MM DD')::timestamp AT TIME ZONE 'UTC', 1)
    END
  $$;
`;

/** The existing table becomes the first partition, so that no row is copied. */
const PARTITIONING = `
  ALTER TABLE exchange RENAME TO exchange_before;
  ALTER TABLE exchange_before DROP CONSTRAINT exchange_pkey;
  ALTER INDEX exchange_by_key RENAME TO exchange_before_by_key;
  ALTER INDEX exchange_by_time RENAME TO exchange_before_by_time;
  ALTER INDEX exchange_by_session RENAME TO exchange_before_by_session;

  CREATE TABLE exchange (LIKE exchange_before INCLUDING DEFAULTS, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
  CREATE INDEX exchange_by_key ON exchange (key, at DESC);
  CREATE INDEX exchange_by_time ON exchange (at DESC);
  CREATE INDEX exchange_by_session ON exchange ((details ->> 'session_id')) WHERE details ->> 'session_id' IS NOT NULL;

  DO $$
  DECLARE
    bound timestamptz := month_6(greatest(now(), (SELECT max(at) FROM exchange_before)), 1);
    name text := 'exchange_until_' || to_char(bound AT TIME ZONE 'UTC', 'YYYY_MM');
  BEGIN
    EXECUTE format('ALTER TABLE exchange_before RENAME TO %I', name);
    EXECUTE format('ALTER TABLE exchange ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', name, bound);
  END $$;
  CREATE TABLE exchange_other PARTITION OF exchange DEFAULT;
`;

/**
 * Creates the partitions of this month and the next two, and removes those that are older than the setting
 * `exchange_days`, if it exists. Does nothing while another replica does it. A partition is attached without a lock
 * that the gateways' statements wait for.
 * @returns the names of the partitions that were created and removed.
 */
const KEEPING = `
  CREATE FUNCTION keep_partitions_6() RETURNS SETOF text LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
  DECLARE
    kept_from timestamptz := clock_timestamp() - (SELECT value FROM setting WHERE name = 'exchange_days')::int
      * interval '1 day';
    covered timestamptz := coalesce((
      SELECT max(month_of_6(c.relname)) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'exchange'::regclass
    ), month_6(clock_timestamp(), 0));
    first timestamptz;
    part record;
    name text;
  BEGIN
    IF NOT pg_try_advisory_xact_lock(${KEEPING_LOCK}) THEN
      RETURN;
    END IF;
    FOR months IN 0..2 LOOP
      first := month_6(clock_timestamp(), months);
      CONTINUE WHEN first < covered;
      name := 'exchange_' || to_char(first AT TIME ZONE 'UTC', 'YYYY_MM');
      EXECUTE format('CREATE TABLE %I (LIKE exchange INCLUDING ALL)', name);
      EXECUTE format('WITH moved AS (DELETE FROM exchange_other WHERE at >= %L AND at < %L RETURNING *)
        INSERT INTO %I SELECT * FROM moved', first, month_6(first, 1), name);
      EXECUTE format('ALTER TABLE exchange ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
        name, first, month_6(first, 1));
      RETURN NEXT name;
    END LOOP;
    FOR part IN
      SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'exchange'::regclass AND month_of_6(c.relname) <= kept_from ORDER BY 1
    LOOP
      EXECUTE format('DROP TABLE %I', part.relname);
      RETURN NEXT part.relname;
    END LOOP;
    DELETE FROM exchange_other WHERE at < kept_from;
  END $$;
`;

const ENTERING = `
  CREATE OR REPLACE FUNCTION lost_among_1(rows jsonb) RETURNS text[] LANGUAGE sql STABLE AS $$
    SELECT ARRAY(
      SELECT e.id FROM jsonb_to_recordset(rows) r(id text, at bigint, ended text)
        JOIN exchange e ON e.id = r.id AND e.at ${LOOKED_FOR('to_timestamp(r.at / 1000.0)')}
      WHERE e.ended = 'lost' AND r.ended <> 'lost'
    )
  $$;

  CREATE OR REPLACE FUNCTION enter_1(of_replica text, rows jsonb) RETURNS SETOF text LANGUAGE plpgsql ${INDEXED} AS $$
  #variable_conflict use_column
  DECLARE
    ids text[] := ARRAY(SELECT value ->> 'id' FROM jsonb_array_elements(rows));
    earliest timestamptz := (SELECT min(to_timestamp(r.at / 1000.0)) FROM jsonb_to_recordset(rows) r(at bigint))
      - interval '1 day';
    latest timestamptz := (SELECT max(to_timestamp(r.at / 1000.0)) FROM jsonb_to_recordset(rows) r(at bigint))
      + interval '1 day';
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
        || ARRAY(SELECT DISTINCT e.day FROM exchange e WHERE e.id = ANY (replaced) AND e.at BETWEEN earliest AND latest));
    IF cardinality(replaced) > 0 THEN
      PERFORM sum_up_6(replaced, -1, earliest, latest);
      UPDATE exchange e SET at = g.at, replica = of_replica, client = g.client, model = g.model, upstream = g.upstream,
          status = g.status, ended = g.ended, input_tokens = g.input_tokens, output_tokens = g.output_tokens,
          cost = g.cost, is_estimated = g.is_estimated, details = g.details
        FROM given_rows_1(rows) g WHERE e.id = g.id AND e.id = ANY (replaced) AND e.at BETWEEN earliest AND latest;
    END IF;
    WITH inserted AS (
      INSERT INTO exchange (id, at, day, replica, key, team, client, model, upstream, status, ended, input_tokens,
          output_tokens, cost, is_estimated, details)
        SELECT g.id, g.at, coalesce(v.day, day_of_1(g.at)), of_replica, g.key, g.team, g.client, g.model, g.upstream,
          g.status, g.ended, g.input_tokens, g.output_tokens, g.cost, g.is_estimated, g.details
        FROM given_rows_1(rows) g LEFT JOIN reservation v ON v.id = g.id
        WHERE NOT EXISTS (SELECT FROM exchange e WHERE e.id = g.id AND e.at ${LOOKED_FOR('g.at')}) ORDER BY g.id
        ON CONFLICT (id, at) DO NOTHING RETURNING id
    ) SELECT array_agg(id) INTO entered FROM inserted;
    PERFORM sum_up_6(entered || replaced, 1, earliest, latest);
    PERFORM release_1(ids);
    RETURN QUERY SELECT unnest(entered || replaced);
  END $$;
`;

/** @param details of the rows, as an expression. */
export const settlingLost = (details = "'{}'") => `
  CREATE OR REPLACE FUNCTION settle_lost_1(lease interval) RETURNS bigint LANGUAGE plpgsql ${INDEXED} AS $$
  #variable_conflict use_column
  DECLARE
    deadline timestamptz := clock_timestamp() - lease;
    ids text[];
    entered text[];
    earliest timestamptz;
    latest timestamptz;
  BEGIN
    IF pg_postmaster_start_time() > deadline OR NOT pg_try_advisory_xact_lock(${LOST_LOCK}) THEN
      RETURN 0;
    END IF;
    SELECT array_agg(id), min(at) - interval '1 day', max(at) + interval '1 day' INTO ids, earliest, latest FROM (
      SELECT v.id, v.at FROM reservation v LEFT JOIN replica p ON p.id = v.replica
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
        WHERE v.id = ANY (ids) AND NOT EXISTS (SELECT FROM exchange e WHERE e.id = v.id AND e.at ${LOOKED_FOR('v.at')})
        ORDER BY v.id
        ON CONFLICT (id, at) DO NOTHING RETURNING id
    ) SELECT array_agg(id) INTO entered FROM inserted;
    PERFORM sum_up_6(entered, 1, earliest, latest);
    PERFORM release_1(ids);
    RETURN cardinality(ids);
  END $$;
`;

export const PARTITIONS = [
  MONTHS,
  PARTITIONING,
  KEEPING,
  SUMMING_WITHIN,
  ENTERING,
  settlingLost(),
  'SELECT keep_partitions_6();',
].join('\n');

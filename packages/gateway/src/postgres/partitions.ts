import { enteringRows, LOST_AMONG_PARTITIONS, settlingLost } from './entering.ts';
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

export const PARTITIONS = [
  MONTHS,
  PARTITIONING,
  KEEPING,
  SUMMING_WITHIN,
  LOST_AMONG_PARTITIONS,
  enteringRows(true),
  settlingLost(true),
  'SELECT keep_partitions_6();',
].join('\n');

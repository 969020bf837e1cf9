import { LEDGER_LOCK } from './entering.ts';
import { type FurtherSum, NO_FURTHER_SUM, WITHOUT_PRICE } from './summing.ts';

/**
 * Faster versions of the functions that reserve and enter batches. They keep their names, because replicas of earlier
 * releases call them too.
 *
 * PostgreSQL would plan most statements of a function again at each call, because it takes plans for the actual arrays
 * for cheaper, and planning them costs more than running them. Generic plans are made once. As they can be made while
 * the tables are small, they may only join by index, and every large table is read by the IDs of the batch.
 */
export const PLANNED_ONCE = `SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET enable_material = off`;

/** Most of what is reserved fits, and is admitted with one statement. Otherwise, the requests are checked one by one. */
const RESERVING = `
  CREATE OR REPLACE FUNCTION reserve_1(of_replica text, requests jsonb) RETURNS TABLE (id text, refusal jsonb)
  LANGUAGE plpgsql ${PLANNED_ONCE} AS $$
  #variable_conflict use_column
  DECLARE
    today date := day_of_1(clock_timestamp());
    scopes text[];
    are_open boolean;
    asked record;
  BEGIN
    SELECT array_agg(DISTINCT b.scope), bool_and(a.scope IS NOT NULL) INTO scopes, are_open
      FROM jsonb_to_recordset(requests) r(key text, team text)
        JOIN budget b ON b.scope = ANY (ARRAY[r.key, r.team])
        LEFT JOIN account a ON a.scope = b.scope AND a.unit = b.unit AND a.period = b.period
          AND a.start = period_start_1(b.period, today);
    IF NOT are_open THEN
      PERFORM open_accounts_1(scopes, today);
    END IF;
    IF admit_all_7(of_replica, requests, scopes, today) THEN
      RETURN QUERY SELECT r.id, NULL::jsonb FROM jsonb_to_recordset(requests) r(id text);
      RETURN;
    END IF;
    FOR asked IN SELECT value AS request, value ->> 'id' AS id FROM jsonb_array_elements(requests) LOOP
      id := asked.id;
      refusal := NULL;
      IF NOT EXISTS (SELECT FROM reservation v WHERE v.id = asked.id)
        AND NOT admit_all_7(of_replica, jsonb_build_array(asked.request), scopes, today) THEN
        refusal := shortage_1(asked.request, today);
      END IF;
      RETURN NEXT;
    END LOOP;
  END $$;

  -- Locks the accounts of the scopes and admits all requests or none. Requests that were admitted before count again,
  -- so that a batch that was sent again may seem too large, but reserve nothing again.
  CREATE FUNCTION admit_all_7(of_replica text, requests jsonb, scopes text[], today date) RETURNS boolean
  LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  BEGIN
    IF EXISTS (
      WITH locked AS MATERIALIZED (
        SELECT b.scope, b.unit, b.period, b.amount, a.spent, a.reserved
        FROM budget b JOIN account a ON a.scope = b.scope AND a.unit = b.unit AND a.period = b.period
          AND a.start = period_start_1(b.period, today)
        WHERE b.scope = ANY (scopes) ORDER BY a.scope, a.unit, a.period, a.start FOR UPDATE OF a
      )
      SELECT FROM locked a
        JOIN jsonb_to_recordset(requests) r(key text, team text, input_tokens bigint, output_tokens bigint, cost bigint)
          ON a.scope = ANY (ARRAY[r.key, r.team])
      GROUP BY a.scope, a.unit, a.period
      HAVING max(a.spent) >= max(a.amount) OR bool_or(a.unit = 'usd' AND r.cost IS NULL)
        OR sum(CASE a.unit WHEN 'usd' THEN r.cost ELSE r.input_tokens + r.output_tokens END)
          > max(a.amount) - max(a.spent) - max(a.reserved)
    ) THEN
      RETURN false;
    END IF;
    WITH held AS (
      INSERT INTO reservation (id, replica, key, team, model, at, day, input_tokens, output_tokens, cost, shares)
        SELECT r.id, of_replica, r.key, r.team, r.model, clock_timestamp(), today, r.input_tokens, r.output_tokens,
          r.cost, coalesce((
            SELECT jsonb_agg(jsonb_build_object('scope', b.scope, 'unit', b.unit, 'period', b.period, 'share',
              CASE b.unit WHEN 'usd' THEN r.cost ELSE r.input_tokens + r.output_tokens END))
            FROM budget b WHERE b.scope = ANY (ARRAY[r.key, r.team])
          ), '[]')
        FROM jsonb_to_recordset(requests)
          r(id text, key text, team text, model text, input_tokens bigint, output_tokens bigint, cost bigint)
        ON CONFLICT (id) DO NOTHING RETURNING shares
    )
    UPDATE account a SET reserved = a.reserved + t.share FROM (
      SELECT s.scope, s.unit, s.period, sum(s.share) AS share
      FROM held h, jsonb_to_recordset(h.shares) s(scope text, unit text, period text, share bigint) GROUP BY 1, 2, 3
    ) t WHERE a.scope = t.scope AND a.unit = t.unit AND a.period = t.period AND a.start = period_start_1(t.period, today);
    RETURN true;
  END $$;
`;

/**
 * Exchanges of which none has a row are entered with one statement. It inserts their rows, adds them to the daily sums
 * and accounts, and releases their reservations. Otherwise, some may have been taken for lost or sent again, and the
 * earlier version enters them.
 */
export const entering = (create: string, more: FurtherSum = NO_FURTHER_SUM) => `
  ${create} enter_1(of_replica text, rows jsonb) RETURNS SETOF text LANGUAGE plpgsql ${PLANNED_ONCE} AS $$
  #variable_conflict use_column
  DECLARE
    ids text[];
    earliest timestamptz;
    latest timestamptz;
    entered text[];
  BEGIN
    SELECT array_agg(r.id), to_timestamp(min(r.at) / 1000.0) - interval '1 day',
        to_timestamp(max(r.at) / 1000.0) + interval '1 day'
      INTO ids, earliest, latest FROM jsonb_to_recordset(rows) r(id text, at bigint);
    IF EXISTS (SELECT FROM exchange e WHERE e.id = ANY (ids) AND e.at BETWEEN earliest AND latest) THEN
      RETURN QUERY SELECT * FROM enter_known_7(of_replica, rows);
      RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock_shared(${LEDGER_LOCK});
    IF EXISTS (SELECT FROM exchange e WHERE e.id = ANY (ids) AND e.at BETWEEN earliest AND latest) THEN
      RAISE EXCEPTION 'Exchanges were entered meanwhile.' USING ERRCODE = 'serialization_failure';
    END IF;
    PERFORM lock_accounts_7(ids, rows);
    WITH inserted AS (
      INSERT INTO exchange (id, at, day, replica, key, team, client, model, upstream, status, ended, input_tokens,
          output_tokens, cost, is_estimated, details)
        SELECT g.id, g.at, coalesce(v.day, day_of_1(g.at)), of_replica, g.key, g.team, g.client, g.model, g.upstream,
          g.status, g.ended, g.input_tokens, g.output_tokens, g.cost, g.is_estimated, g.details
        FROM given_rows_1(rows) g LEFT JOIN reservation v ON v.id = g.id
        ON CONFLICT (id, at) DO NOTHING RETURNING *
    ), summed AS (
      INSERT INTO usage_day AS u (day, key, team, client, model, upstream, exchanges, failed, unpriced, estimated,
          input_tokens, output_tokens, cost${more.column})
        SELECT e.day, coalesce(e.key, ''), coalesce(e.team, ''), coalesce(e.client, ''), coalesce(e.model, ''),
          coalesce(e.upstream, ''), count(*), count(*) FILTER (WHERE ${more.failed}),
          count(*) FILTER (WHERE ${WITHOUT_PRICE}), count(*) FILTER (WHERE e.is_estimated),
          coalesce(sum(e.input_tokens), 0), coalesce(sum(e.output_tokens), 0), coalesce(sum(e.cost), 0)${
            more.value && `, ${more.value}`
          }
        FROM inserted e GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
        ON CONFLICT (day, key, team, client, model, upstream) DO UPDATE SET
          exchanges = u.exchanges + excluded.exchanges, failed = u.failed + excluded.failed,
          unpriced = u.unpriced + excluded.unpriced, estimated = u.estimated + excluded.estimated,
          input_tokens = u.input_tokens + excluded.input_tokens,
          output_tokens = u.output_tokens + excluded.output_tokens, cost = u.cost + excluded.cost${more.update}
    ), released AS (
      DELETE FROM reservation v WHERE v.id = ANY (ids) RETURNING v.day, v.shares
    ), changes AS (
      SELECT o.scope, o.unit, o.period, o.start, 0 AS released, CASE o.unit WHEN 'usd' THEN coalesce(e.cost, 0)
          ELSE coalesce(e.input_tokens, 0) + coalesce(e.output_tokens, 0) END AS used
        FROM inserted e
          JOIN account o ON o.scope = ANY (ARRAY[e.key, e.team]) AND o.start = period_start_1(o.period, e.day)
      UNION ALL
      SELECT s.scope, s.unit, s.period, period_start_1(s.period, v.day), s.share, 0
        FROM released v, jsonb_to_recordset(v.shares) s(scope text, unit text, period text, share bigint)
    ), changed AS (
      UPDATE account a SET spent = a.spent + t.used, reserved = a.reserved - t.released FROM (
        SELECT scope, unit, period, start, sum(used) AS used, sum(released) AS released FROM changes GROUP BY 1, 2, 3, 4
      ) t WHERE a.scope = t.scope AND a.unit = t.unit AND a.period = t.period AND a.start = t.start
    )
    SELECT array_agg(id) INTO entered FROM inserted;
    RETURN QUERY SELECT unnest(entered);
  END $$;
`;

const ENTERING = `
  ALTER FUNCTION enter_1 RENAME TO enter_known_7;
  ${entering('CREATE FUNCTION')}
  -- Locks the accounts that entering the rows changes: those of their own days, and those of their reservations.
  CREATE FUNCTION lock_accounts_7(ids text[], rows jsonb) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    scopes text[];
    days date[];
  BEGIN
    SELECT array_agg(DISTINCT s), array_agg(DISTINCT h.day) INTO scopes, days FROM (
      SELECT r.key, r.team, day_of_1(to_timestamp(r.at / 1000.0)) AS day
        FROM jsonb_to_recordset(rows) r(key text, team text, at bigint)
      UNION ALL
      SELECT v.key, v.team, v.day FROM reservation v WHERE v.id = ANY (ids)
    ) h, unnest(ARRAY[h.key, h.team]) s;
    PERFORM 1 FROM account a
      WHERE a.scope = ANY (scopes) AND a.start IN (SELECT period_start_1(a.period, d) FROM unnest(days) d)
      ORDER BY a.scope, a.unit, a.period, a.start FOR UPDATE;
  END $$;
`;

/** These also look for rows of the ledger by ID, or run for many requests. */
const OTHERS = ['settle_lost_1', 'reserve_more_2', 'release_4']
  .map((name) => `ALTER FUNCTION ${name} ${PLANNED_ONCE};`)
  .join('\n');

/** No statement of the gateway reads the ledger by time alone. Without it, every read by ID uses the primary key. */
const WITHOUT_TIMES = 'DROP INDEX exchange_by_time;';

export const BATCHES = [RESERVING, ENTERING, OTHERS, WITHOUT_TIMES].join('\n');

import { enteringRows, GIVEN_ROWS, INDEXED, LEDGER_LOCK, LOST_AMONG, settlingLost } from './entering.ts';
import { SUMMING } from './summing.ts';

/**
 * Database functions that change budgets and the ledger, each in one transaction. Their names end with the version in
 * which they were added, because replicas of an earlier release still call earlier versions.
 *
 * Locks are always taken in the same order, so that transactions cannot deadlock: first the ledger lock, then accounts
 * by primary key, then daily sums by primary key. Transactions that enter exchanges share the ledger lock. Those that
 * open an account or replace lost exchanges take it exclusively.
 */

const PERIODS = `
  CREATE FUNCTION period_start_1(period text, day date) RETURNS date LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE period
      WHEN 'total' THEN date '0001-01-01'
      WHEN 'monthly' THEN date_trunc('month', day::timestamp)::date
      ELSE day
    END
  $$;

  CREATE FUNCTION day_of_1(at timestamptz) RETURNS date LANGUAGE sql STABLE AS $$
    SELECT (at AT TIME ZONE (SELECT value FROM setting WHERE name = 'time_zone'))::date
  $$;

  CREATE FUNCTION next_start_1(period text, day date) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT (CASE period
      WHEN 'monthly' THEN date_trunc('month', day::timestamp) + interval '1 month'
      WHEN 'daily' THEN day + interval '1 day'
    END) AT TIME ZONE (SELECT value FROM setting WHERE name = 'time_zone')
  $$;
`;

/** An account that is opened during its period starts with what was already spent in that period. */
const OPENING = `
  CREATE FUNCTION open_accounts_1(scopes text[], today date) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT EXISTS (
      SELECT FROM budget b LEFT JOIN account a
        ON a.scope = b.scope AND a.unit = b.unit AND a.period = b.period AND a.start = period_start_1(b.period, today)
      WHERE b.scope = ANY (scopes) AND a.scope IS NULL
    ) THEN
      RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(${LEDGER_LOCK});
    INSERT INTO account (scope, unit, period, start, spent)
      SELECT b.scope, b.unit, b.period, period_start_1(b.period, today), coalesce((
        SELECT sum(CASE b.unit WHEN 'usd' THEN u.cost ELSE u.input_tokens + u.output_tokens END) FROM usage_day u
        WHERE (u.key = b.scope OR u.team = b.scope) AND u.day >= period_start_1(b.period, today)
      ), 0)
      FROM budget b WHERE b.scope = ANY (scopes) ORDER BY 1, 2, 3, 4
      ON CONFLICT DO NOTHING;
  END $$;
`;

/**
 * A request is admitted if each of its budgets covers it in addition to earlier requests. If all requests of the batch
 * fit, which is usual, they are admitted together. A request that was sent again stays admitted.
 */
const RESERVING = `
  CREATE FUNCTION reserve_1(of_replica text, requests jsonb) RETURNS TABLE (id text, refusal jsonb)
  LANGUAGE plpgsql ${INDEXED} AS $$
  #variable_conflict use_column
  DECLARE
    today date := day_of_1(clock_timestamp());
    scopes text[];
    asked record;
    short jsonb;
  BEGIN
    SELECT array_agg(DISTINCT s) INTO scopes
      FROM jsonb_to_recordset(requests) r(key text, team text), unnest(ARRAY[r.key, r.team]) s WHERE s IS NOT NULL;
    PERFORM open_accounts_1(scopes, today);
    PERFORM 1 FROM account a
      WHERE a.scope = ANY (scopes) AND a.start = period_start_1(a.period, today)
      ORDER BY a.scope, a.unit, a.period, a.start FOR UPDATE;
    IF admit_all_1(of_replica, requests, today) THEN
      RETURN QUERY SELECT r.id, NULL::jsonb FROM jsonb_to_recordset(requests) r(id text);
      RETURN;
    END IF;
    FOR asked IN SELECT value AS request, value ->> 'id' AS id FROM jsonb_array_elements(requests) LOOP
      short := NULL;
      IF NOT EXISTS (SELECT FROM reservation v WHERE v.id = asked.id)
        AND NOT admit_all_1(of_replica, jsonb_build_array(asked.request), today) THEN
        short := shortage_1(asked.request, today);
      END IF;
      id := asked.id;
      refusal := short;
      RETURN NEXT;
    END LOOP;
  END $$;

  CREATE FUNCTION needs_1(requests jsonb, today date)
  RETURNS TABLE (id text, scope text, unit text, period text, start date, amount bigint, share bigint)
  LANGUAGE sql STABLE AS $$
    SELECT r.id, b.scope, b.unit, b.period, period_start_1(b.period, today), b.amount,
      CASE b.unit WHEN 'usd' THEN r.cost ELSE r.input_tokens + r.output_tokens END
    FROM jsonb_to_recordset(requests)
      r(id text, key text, team text, input_tokens bigint, output_tokens bigint, cost bigint)
    JOIN budget b ON b.scope IN (r.key, r.team)
  $$;

  CREATE FUNCTION admit_all_1(of_replica text, requests jsonb, today date) RETURNS boolean LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  BEGIN
    IF EXISTS (SELECT FROM reservation v, jsonb_to_recordset(requests) r(id text) WHERE v.id = r.id) THEN
      RETURN false;
    END IF;
    IF EXISTS (
      SELECT FROM needs_1(requests, today) n
        JOIN account a ON a.scope = n.scope AND a.unit = n.unit AND a.period = n.period AND a.start = n.start
        GROUP BY a.scope, a.unit, a.period, a.start
        HAVING bool_or(n.share IS NULL) OR max(a.spent) >= max(n.amount)
          OR sum(n.share) > max(n.amount) - max(a.spent) - max(a.reserved)
    ) THEN
      RETURN false;
    END IF;
    UPDATE account a SET reserved = a.reserved + t.share FROM (
      SELECT scope, unit, period, start, sum(share) AS share FROM needs_1(requests, today) GROUP BY 1, 2, 3, 4
    ) t WHERE a.scope = t.scope AND a.unit = t.unit AND a.period = t.period AND a.start = t.start;
    INSERT INTO reservation (id, replica, key, team, model, at, day, input_tokens, output_tokens, cost, shares)
      SELECT r.id, of_replica, r.key, r.team, r.model, clock_timestamp(), today, r.input_tokens, r.output_tokens, r.cost,
        coalesce((
          SELECT jsonb_agg(jsonb_build_object('scope', n.scope, 'unit', n.unit, 'period', n.period, 'share', n.share))
          FROM needs_1(jsonb_build_array(to_jsonb(r)), today) n
        ), '[]')
      FROM jsonb_to_recordset(requests)
        r(id text, key text, team text, model text, input_tokens bigint, output_tokens bigint, cost bigint);
    RETURN true;
  END $$;

  CREATE FUNCTION shortage_1(request jsonb, today date) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('scope', n.scope, 'unit', n.unit, 'period', n.period, 'amount', n.amount,
      'left', n.amount - a.spent, 'reserved', a.reserved, 'needed', n.share,
      'renewsAt', floor(extract(epoch FROM next_start_1(n.period, today)) * 1000))
    FROM needs_1(jsonb_build_array(request), today) n
      JOIN account a ON a.scope = n.scope AND a.unit = n.unit AND a.period = n.period AND a.start = n.start
    WHERE n.share IS NULL OR a.spent >= n.amount OR n.share > n.amount - a.spent - a.reserved
    ORDER BY n.share IS NOT NULL, array_position(ARRAY['total', 'monthly', 'daily'], n.period) LIMIT 1
  $$;
`;

const RELEASING = `
  CREATE FUNCTION release_1(ids text[]) RETURNS void LANGUAGE sql AS $$
    WITH gone AS (DELETE FROM reservation v WHERE v.id = ANY (ids) RETURNING v.day, v.shares)
    UPDATE account a SET reserved = a.reserved - t.share FROM (
      SELECT s.scope, s.unit, s.period, period_start_1(s.period, g.day) AS start, sum(s.share) AS share
      FROM gone g, jsonb_to_recordset(g.shares) s(scope text, unit text, period text, share bigint) GROUP BY 1, 2, 3, 4
    ) t WHERE a.scope = t.scope AND a.unit = t.unit AND a.period = t.period AND a.start = t.start
  $$;

  CREATE FUNCTION lock_accounts_1(ids text[], scopes text[], days date[]) RETURNS void LANGUAGE sql AS $$
    WITH held AS (SELECT v.key, v.team, v.day FROM reservation v WHERE v.id = ANY (ids))
    SELECT 1 FROM account a
    WHERE a.scope = ANY (scopes || ARRAY(SELECT key FROM held) || ARRAY(SELECT team FROM held WHERE team IS NOT NULL))
      AND a.start IN (SELECT period_start_1(a.period, d) FROM unnest(days || ARRAY(SELECT day FROM held)) d)
    ORDER BY a.scope, a.unit, a.period, a.start FOR UPDATE
  $$;
`;

const RELEASING_REPLICA = `
  CREATE FUNCTION release_replica_1(of_replica text) RETURNS void LANGUAGE plpgsql ${INDEXED} AS $$
  DECLARE
    ids text[] := ARRAY(SELECT v.id FROM reservation v WHERE v.replica = of_replica);
  BEGIN
    PERFORM lock_accounts_1(ids, '{}', '{}');
    PERFORM release_1(ids);
    DELETE FROM replica WHERE id = of_replica;
  END $$;
`;

const BALANCES = `
  CREATE FUNCTION balances_1(scopes text[])
  RETURNS TABLE (scope text, unit text, period text, amount bigint, spent bigint, reserved bigint, renews_at timestamptz)
  LANGUAGE plpgsql ${INDEXED} AS $$
  #variable_conflict use_column
  DECLARE
    today date := day_of_1(clock_timestamp());
  BEGIN
    PERFORM open_accounts_1(scopes, today);
    RETURN QUERY SELECT b.scope, b.unit, b.period, b.amount, a.spent, a.reserved, next_start_1(b.period, today)
      FROM budget b JOIN account a ON a.scope = b.scope AND a.unit = b.unit AND a.period = b.period
        AND a.start = period_start_1(b.period, today)
      WHERE b.scope = ANY (scopes)
      ORDER BY b.scope, array_position(ARRAY['total', 'monthly', 'daily'], b.period);
  END $$;
`;

export const ACCOUNTING = [
  PERIODS,
  OPENING,
  RESERVING,
  RELEASING,
  SUMMING,
  enteringRows(false),
  GIVEN_ROWS,
  LOST_AMONG,
  settlingLost(false),
  RELEASING_REPLICA,
  BALANCES,
].join('\n');

/**
 * Reserves the same amount again for a request whose upstream has failed and may bill the attempt. `attempts` is the
 * number of attempts already reserved, so that a repeated statement has no effect.
 */
export const RESERVING_MORE = `
  ALTER TABLE reservation ADD COLUMN attempts int NOT NULL DEFAULT 1;

  CREATE FUNCTION reserve_more_2(of_replica text, request jsonb) RETURNS jsonb LANGUAGE plpgsql ${INDEXED} AS $$
  DECLARE
    held reservation%ROWTYPE;
    short jsonb;
  BEGIN
    PERFORM lock_accounts_1(ARRAY[request ->> 'id'], '{}', '{}');
    SELECT * INTO held FROM reservation v WHERE v.id = request ->> 'id' FOR UPDATE;
    IF NOT FOUND THEN
      RETURN (SELECT r.refusal FROM reserve_1(of_replica, jsonb_build_array(request)) r);
    END IF;
    IF held.attempts > (request ->> 'attempts')::int THEN
      RETURN NULL;
    END IF;
    short := shortage_1(request, held.day);
    IF short IS NOT NULL THEN
      RETURN short;
    END IF;
    UPDATE account a SET reserved = a.reserved + n.share FROM needs_1(jsonb_build_array(request), held.day) n
      WHERE a.scope = n.scope AND a.unit = n.unit AND a.period = n.period AND a.start = n.start;
    UPDATE reservation v SET attempts = v.attempts + 1,
        input_tokens = v.input_tokens + (request ->> 'input_tokens')::bigint,
        output_tokens = v.output_tokens + (request ->> 'output_tokens')::bigint,
        cost = v.cost + (request ->> 'cost')::bigint,
        shares = v.shares || coalesce((
          SELECT jsonb_agg(jsonb_build_object('scope', n.scope, 'unit', n.unit, 'period', n.period, 'share', n.share))
          FROM needs_1(jsonb_build_array(request), held.day) n
        ), '[]')
      WHERE v.id = held.id;
    RETURN NULL;
  END $$;
`;

/** Releases reservations on their own, with the locks of all other functions in their order. */
export const RELEASING_IN_ORDER = `
  CREATE FUNCTION release_4(ids text[]) RETURNS void LANGUAGE plpgsql ${INDEXED} AS $$
  BEGIN
    PERFORM lock_accounts_1(ids, '{}', '{}');
    PERFORM release_1(ids);
  END $$;
`;

/**
 * Reserves as `reserve_1`, but requests that can be sent with a lower limit get at most half of what is left, as with the
 * budgets of a single process. If even the largest of them would leave as much as it takes after all others, none is
 * refused for this, so the batch is admitted together.
 */
export const RESERVING_HALF = `
  CREATE FUNCTION shortage_10(request jsonb, today date, times int) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('scope', n.scope, 'unit', n.unit, 'period', n.period, 'amount', n.amount,
      'left', n.amount - a.spent, 'reserved', a.reserved, 'needed', n.share,
      'renewsAt', floor(extract(epoch FROM next_start_1(n.period, today)) * 1000))
    FROM needs_1(jsonb_build_array(request), today) n
      JOIN account a ON a.scope = n.scope AND a.unit = n.unit AND a.period = n.period AND a.start = n.start
    WHERE n.share IS NULL OR a.spent >= n.amount OR n.share * times > n.amount - a.spent - a.reserved
    ORDER BY n.share IS NOT NULL, array_position(ARRAY['total', 'monthly', 'daily'], n.period) LIMIT 1
  $$;

  CREATE FUNCTION take_halves_10(requests jsonb, today date) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
      SELECT FROM needs_1(requests, today) n
        JOIN jsonb_to_recordset(requests) r(id text, lowers boolean) ON r.id = n.id
        JOIN account a ON a.scope = n.scope AND a.unit = n.unit AND a.period = n.period AND a.start = n.start
        GROUP BY a.scope, a.unit, a.period, a.start
        HAVING max(n.share) FILTER (WHERE r.lowers) + sum(n.share) > max(n.amount) - max(a.spent) - max(a.reserved)
    )
  $$;

  CREATE FUNCTION reserve_10(of_replica text, requests jsonb) RETURNS TABLE (id text, refusal jsonb)
  LANGUAGE plpgsql ${INDEXED} AS $$
  #variable_conflict use_column
  DECLARE
    today date := day_of_1(clock_timestamp());
    scopes text[];
    asked record;
    short jsonb;
  BEGIN
    SELECT array_agg(DISTINCT s) INTO scopes
      FROM jsonb_to_recordset(requests) r(key text, team text), unnest(ARRAY[r.key, r.team]) s WHERE s IS NOT NULL;
    PERFORM open_accounts_1(scopes, today);
    PERFORM 1 FROM account a
      WHERE a.scope = ANY (scopes) AND a.start = period_start_1(a.period, today)
      ORDER BY a.scope, a.unit, a.period, a.start FOR UPDATE;
    IF NOT take_halves_10(requests, today) AND admit_all_1(of_replica, requests, today) THEN
      RETURN QUERY SELECT r.id, NULL::jsonb FROM jsonb_to_recordset(requests) r(id text);
      RETURN;
    END IF;
    FOR asked IN SELECT value AS request, value ->> 'id' AS id, (value ->> 'lowers')::boolean AS lowers
      FROM jsonb_array_elements(requests) LOOP
      short := NULL;
      IF NOT EXISTS (SELECT FROM reservation v WHERE v.id = asked.id) THEN
        IF asked.lowers THEN
          short := shortage_10(asked.request, today, 2);
        END IF;
        IF short IS NULL AND NOT admit_all_1(of_replica, jsonb_build_array(asked.request), today) THEN
          short := shortage_10(asked.request, today, 1);
        END IF;
      END IF;
      id := asked.id;
      refusal := short;
      RETURN NEXT;
    END LOOP;
  END $$;
`;

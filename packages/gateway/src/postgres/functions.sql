-- The functions of the gateway's database, each in one transaction. They change budgets, the ledger, and turns.
--
-- Locks are always taken in the same order, so that transactions cannot deadlock: first the ledger lock (7264001),
-- then accounts by primary key, then daily sums by primary key. Transactions that enter exchanges share the ledger
-- lock. Those that open an account or replace lost exchanges take it exclusively. Further advisory locks: 7264000 of
-- upgrades, 7264002 of lost exchanges, 7264003 of turns, by key, 7264004 of partitions, and
-- 7264005 of contexts.
--
-- All tables are accessed by index (enable_seqscan = off). PostgreSQL caches the plans of functions, and a plan made
-- while the tables were small would read whole tables. It would also plan most statements of a function again at each
-- call, because it takes plans for the actual arrays for cheaper, and planning them costs more than running them.
-- Generic plans are made once. As they can be made while the tables are small, they may only join by index, and every
-- large table is read by the IDs of the batch.

CREATE FUNCTION period_start(period text, day date) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE period
    WHEN 'total' THEN date '0001-01-01'
    WHEN 'monthly' THEN date_trunc('month', day::timestamp)::date
    ELSE day
  END
$$;

CREATE FUNCTION day_of(at timestamptz) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT (at AT TIME ZONE (SELECT value FROM setting WHERE name = 'time_zone'))::date
$$;

CREATE FUNCTION next_start(period text, day date) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT (CASE period
    WHEN 'monthly' THEN date_trunc('month', day::timestamp) + interval '1 month'
    WHEN 'daily' THEN day + interval '1 day'
  END) AT TIME ZONE (SELECT value FROM setting WHERE name = 'time_zone')
$$;

-- An account that is opened during its period starts with what was already spent in that period.
CREATE FUNCTION open_accounts(scopes text[], today date) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM budget b LEFT JOIN account a
      ON a.scope = b.scope AND a.unit = b.unit AND a.period = b.period AND a.start = period_start(b.period, today)
    WHERE b.scope = ANY (scopes) AND a.scope IS NULL
  ) THEN
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock(7264001);
  INSERT INTO account (scope, unit, period, start, spent)
    SELECT b.scope, b.unit, b.period, period_start(b.period, today), coalesce((
      SELECT sum(CASE b.unit WHEN 'usd' THEN u.cost ELSE u.input_tokens + u.output_tokens END) FROM usage_day u
      WHERE (u.key = b.scope OR u.team = b.scope) AND u.day >= period_start(b.period, today)
    ), 0)
    FROM budget b WHERE b.scope = ANY (scopes) ORDER BY 1, 2, 3, 4
    ON CONFLICT DO NOTHING;
END $$;

-- What requests need of each of their budgets.
CREATE FUNCTION needs(requests jsonb, today date)
RETURNS TABLE (id text, scope text, unit text, period text, start date, amount bigint, share bigint)
LANGUAGE sql STABLE AS $$
  SELECT r.id, b.scope, b.unit, b.period, period_start(b.period, today), b.amount,
    CASE b.unit WHEN 'usd' THEN r.cost ELSE r.input_tokens + r.output_tokens END
  FROM jsonb_to_recordset(requests)
    r(id text, key text, team text, input_tokens bigint, output_tokens bigint, cost bigint)
  JOIN budget b ON b.scope IN (r.key, r.team)
$$;

-- Locks the accounts of the scopes and admits all requests or none. Requests that were admitted before count again,
-- so that a batch that was sent again may seem too large, but reserve nothing again.
CREATE FUNCTION admit_all(of_replica text, requests jsonb, scopes text[], today date) RETURNS boolean
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  IF EXISTS (
    WITH locked AS MATERIALIZED (
      SELECT b.scope, b.unit, b.period, b.amount, a.spent, a.reserved
      FROM budget b JOIN account a ON a.scope = b.scope AND a.unit = b.unit AND a.period = b.period
        AND a.start = period_start(b.period, today)
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
  ) t WHERE a.scope = t.scope AND a.unit = t.unit AND a.period = t.period AND a.start = period_start(t.period, today);
  RETURN true;
END $$;

-- The budget that does not cover a request so many times.
CREATE FUNCTION shortage(request jsonb, today date, times int) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('scope', n.scope, 'unit', n.unit, 'period', n.period, 'amount', n.amount,
    'left', n.amount - a.spent, 'reserved', a.reserved, 'needed', n.share,
    'renewsAt', floor(extract(epoch FROM next_start(n.period, today)) * 1000))
  FROM needs(jsonb_build_array(request), today) n
    JOIN account a ON a.scope = n.scope AND a.unit = n.unit AND a.period = n.period AND a.start = n.start
  WHERE n.share IS NULL OR a.spent >= n.amount OR n.share * times > n.amount - a.spent - a.reserved
  ORDER BY n.share IS NOT NULL, array_position(ARRAY['total', 'monthly', 'daily'], n.period) LIMIT 1
$$;

-- A request is admitted if each of its budgets covers it in addition to earlier requests. Those that can be sent with
-- a lower limit get at most half of what is left, as with the budgets of a single process. Most of what is reserved
-- fits, and is admitted together. Otherwise, the requests are checked one by one. A request that was sent again stays
-- admitted.
CREATE FUNCTION reserve(of_replica text, requests jsonb) RETURNS TABLE (id text, refusal jsonb)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET enable_material = off AS $$
#variable_conflict use_column
DECLARE
  today date := day_of(clock_timestamp());
  scopes text[];
  are_open boolean;
  asked record;
BEGIN
  SELECT array_agg(DISTINCT b.scope), bool_and(a.scope IS NOT NULL) INTO scopes, are_open
    FROM jsonb_to_recordset(requests) r(key text, team text)
      JOIN budget b ON b.scope = ANY (ARRAY[r.key, r.team])
      LEFT JOIN account a ON a.scope = b.scope AND a.unit = b.unit AND a.period = b.period
        AND a.start = period_start(b.period, today);
  IF NOT are_open THEN
    PERFORM open_accounts(scopes, today);
  END IF;
  PERFORM 1 FROM account a
    WHERE a.scope = ANY (scopes) AND a.start = period_start(a.period, today)
    ORDER BY a.scope, a.unit, a.period, a.start FOR UPDATE;
  -- The largest request with a lower limit may leave less than it takes after all others.
  IF NOT EXISTS (
    SELECT FROM needs(requests, today) n
      JOIN jsonb_to_recordset(requests) r(id text, lowers boolean) ON r.id = n.id
      JOIN account a ON a.scope = n.scope AND a.unit = n.unit AND a.period = n.period AND a.start = n.start
    GROUP BY a.scope, a.unit, a.period, a.start
    HAVING max(n.share) FILTER (WHERE r.lowers) + sum(n.share) > max(n.amount) - max(a.spent) - max(a.reserved)
  ) AND admit_all(of_replica, requests, scopes, today) THEN
    RETURN QUERY SELECT r.id, NULL::jsonb FROM jsonb_to_recordset(requests) r(id text);
    RETURN;
  END IF;
  FOR asked IN SELECT value AS request, value ->> 'id' AS id, (value ->> 'lowers')::boolean AS lowers
    FROM jsonb_array_elements(requests) LOOP
    id := asked.id;
    refusal := NULL;
    IF NOT EXISTS (SELECT FROM reservation v WHERE v.id = asked.id) THEN
      IF asked.lowers THEN
        refusal := shortage(asked.request, today, 2);
      END IF;
      IF refusal IS NULL AND NOT admit_all(of_replica, jsonb_build_array(asked.request), scopes, today) THEN
        refusal := shortage(asked.request, today, 1);
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

-- Reserves the same amount again for a request whose upstream has failed and may bill the attempt. `attempts` is the
-- number of attempts already reserved, so that a repeated statement has no effect.
CREATE FUNCTION reserve_more(of_replica text, request jsonb) RETURNS jsonb
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET enable_material = off AS $$
DECLARE
  held reservation%ROWTYPE;
  short jsonb;
BEGIN
  PERFORM lock_accounts(ARRAY[request ->> 'id'], '{}', '{}');
  SELECT * INTO held FROM reservation v WHERE v.id = request ->> 'id' FOR UPDATE;
  IF NOT FOUND THEN
    RETURN (SELECT r.refusal FROM reserve(of_replica, jsonb_build_array(request)) r);
  END IF;
  IF held.attempts > (request ->> 'attempts')::int THEN
    RETURN NULL;
  END IF;
  short := shortage(request, held.day, 1);
  IF short IS NOT NULL THEN
    RETURN short;
  END IF;
  UPDATE account a SET reserved = a.reserved + n.share FROM needs(jsonb_build_array(request), held.day) n
    WHERE a.scope = n.scope AND a.unit = n.unit AND a.period = n.period AND a.start = n.start;
  UPDATE reservation v SET attempts = v.attempts + 1,
      input_tokens = v.input_tokens + (request ->> 'input_tokens')::bigint,
      output_tokens = v.output_tokens + (request ->> 'output_tokens')::bigint,
      cost = v.cost + (request ->> 'cost')::bigint,
      shares = v.shares || coalesce((
        SELECT jsonb_agg(jsonb_build_object('scope', n.scope, 'unit', n.unit, 'period', n.period, 'share', n.share))
        FROM needs(jsonb_build_array(request), held.day) n
      ), '[]')
    WHERE v.id = held.id;
  RETURN NULL;
END $$;

CREATE FUNCTION lock_accounts(ids text[], scopes text[], days date[]) RETURNS void LANGUAGE sql AS $$
  WITH held AS (SELECT v.key, v.team, v.day FROM reservation v WHERE v.id = ANY (ids))
  SELECT 1 FROM account a
  WHERE a.scope = ANY (scopes || ARRAY(SELECT key FROM held) || ARRAY(SELECT team FROM held WHERE team IS NOT NULL))
    AND a.start IN (SELECT period_start(a.period, d) FROM unnest(days || ARRAY(SELECT day FROM held)) d)
  ORDER BY a.scope, a.unit, a.period, a.start FOR UPDATE
$$;

-- Locks the accounts that entering the rows changes: those of their own days, and those of their reservations.
CREATE FUNCTION lock_accounts_of(ids text[], rows jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  scopes text[];
  days date[];
BEGIN
  SELECT array_agg(DISTINCT s), array_agg(DISTINCT h.day) INTO scopes, days FROM (
    SELECT r.key, r.team, day_of(to_timestamp(r.at / 1000.0)) AS day
      FROM jsonb_to_recordset(rows) r(key text, team text, at bigint)
    UNION ALL
    SELECT v.key, v.team, v.day FROM reservation v WHERE v.id = ANY (ids)
  ) h, unnest(ARRAY[h.key, h.team]) s;
  PERFORM 1 FROM account a
    WHERE a.scope = ANY (scopes) AND a.start IN (SELECT period_start(a.period, d) FROM unnest(days) d)
    ORDER BY a.scope, a.unit, a.period, a.start FOR UPDATE;
END $$;

-- Releases reservations whose accounts are locked.
CREATE FUNCTION release_locked(ids text[]) RETURNS void LANGUAGE sql AS $$
  WITH gone AS (DELETE FROM reservation v WHERE v.id = ANY (ids) RETURNING v.day, v.shares)
  UPDATE account a SET reserved = a.reserved - t.share FROM (
    SELECT s.scope, s.unit, s.period, period_start(s.period, g.day) AS start, sum(s.share) AS share
    FROM gone g, jsonb_to_recordset(g.shares) s(scope text, unit text, period text, share bigint) GROUP BY 1, 2, 3, 4
  ) t WHERE a.scope = t.scope AND a.unit = t.unit AND a.period = t.period AND a.start = t.start
$$;

CREATE FUNCTION release(ids text[]) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET enable_material = off AS $$
BEGIN
  PERFORM lock_accounts(ids, '{}', '{}');
  PERFORM release_locked(ids);
END $$;

CREATE FUNCTION release_replica(of_replica text) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  ids text[] := ARRAY(SELECT v.id FROM reservation v WHERE v.replica = of_replica);
BEGIN
  PERFORM lock_accounts(ids, '{}', '{}');
  PERFORM release_locked(ids);
  DELETE FROM replica WHERE id = of_replica;
END $$;

CREATE FUNCTION balances(scopes text[])
RETURNS TABLE (scope text, unit text, period text, amount bigint, spent bigint, reserved bigint, renews_at timestamptz)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  today date := day_of(clock_timestamp());
BEGIN
  PERFORM open_accounts(scopes, today);
  RETURN QUERY SELECT b.scope, b.unit, b.period, b.amount, a.spent, a.reserved, next_start(b.period, today)
    FROM budget b JOIN account a ON a.scope = b.scope AND a.unit = b.unit AND a.period = b.period
      AND a.start = period_start(b.period, today)
    WHERE b.scope = ANY (scopes)
    ORDER BY b.scope, array_position(ARRAY['total', 'monthly', 'daily'], b.period);
END $$;

-- Failures are those that the list of requests has by this name.
CREATE FUNCTION is_failed(ended text, status int) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT ended IN ('upstreamFailed', 'lost') OR ended = 'completed' AND status >= 400
$$;

-- Whether the answer or one of the failed attempts of an exchange used tokens of unknown price. The tokens of a row
-- include those of its failed attempts, which are also in the details.
CREATE FUNCTION has_unpriced_attempt(input_tokens bigint, output_tokens bigint, details jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT (NOT details ? 'input_price' AND coalesce(input_tokens + output_tokens, 0)
      - coalesce((details ->> 'attempts_input_tokens')::bigint + (details ->> 'attempts_output_tokens')::bigint, 0) > 0)
    OR EXISTS (
      SELECT FROM jsonb_array_elements((details ->> 'attempts')::jsonb) a WHERE a ? 'usage' AND NOT a ? 'cost'
    )
$$;

-- Adds exchanges to their daily sums and to the spending of their accounts, or subtracts them. Reads only the
-- partitions of these times.
CREATE FUNCTION sum_up(ids text[], sign int, earliest timestamptz, latest timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_day AS u (day, key, team, client, model, upstream, exchanges, failed, unpriced, estimated,
      input_tokens, output_tokens, cost, unconfirmed_cost)
    SELECT e.day, coalesce(e.key, ''), coalesce(e.team, ''), coalesce(e.client, ''), coalesce(e.model, ''),
      coalesce(e.upstream, ''), sign * count(*), sign * count(*) FILTER (WHERE is_failed(e.ended, e.status)),
      sign * count(*) FILTER (WHERE e.cost IS NULL AND e.input_tokens IS NOT NULL
        OR e.details ? 'attempts_cost' AND has_unpriced_attempt(e.input_tokens, e.output_tokens, e.details)),
      sign * count(*) FILTER (WHERE e.is_estimated), sign * coalesce(sum(e.input_tokens), 0),
      sign * coalesce(sum(e.output_tokens), 0), sign * coalesce(sum(e.cost), 0),
      sign * coalesce(sum((e.details ->> 'unconfirmed_cost')::bigint), 0)
    FROM exchange e WHERE e.id = ANY (ids) AND e.at BETWEEN earliest AND latest
    GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (day, key, team, client, model, upstream) DO UPDATE SET
      exchanges = u.exchanges + excluded.exchanges, failed = u.failed + excluded.failed,
      unpriced = u.unpriced + excluded.unpriced, estimated = u.estimated + excluded.estimated,
      input_tokens = u.input_tokens + excluded.input_tokens,
      output_tokens = u.output_tokens + excluded.output_tokens, cost = u.cost + excluded.cost,
      unconfirmed_cost = u.unconfirmed_cost + excluded.unconfirmed_cost;
  UPDATE account a SET spent = a.spent + sign * t.used FROM (
    SELECT o.scope, o.unit, o.period, o.start, sum(CASE o.unit
      WHEN 'usd' THEN coalesce(e.cost, 0)
      ELSE coalesce(e.input_tokens, 0) + coalesce(e.output_tokens, 0) END) AS used
    FROM exchange e JOIN account o ON o.scope IN (e.key, e.team) AND o.start = period_start(o.period, e.day)
    WHERE e.id = ANY (ids) AND e.at BETWEEN earliest AND latest GROUP BY 1, 2, 3, 4
  ) t WHERE a.scope = t.scope AND a.unit = t.unit AND a.period = t.period AND a.start = t.start;
END $$;

CREATE FUNCTION given_rows(rows jsonb)
RETURNS TABLE (id text, at timestamptz, key text, team text, client text, model text, upstream text, status int,
  ended text, input_tokens bigint, output_tokens bigint, cost bigint, is_estimated boolean, details jsonb)
LANGUAGE sql STABLE AS $$
  SELECT r.id, to_timestamp(r.at / 1000.0), r.key, r.team, r.client, r.model, r.upstream, r.status, r.ended,
    r.input_tokens, r.output_tokens, r.cost, coalesce(r.is_estimated, false), coalesce(r.details, '{}')
  FROM jsonb_to_recordset(rows) r(id text, at bigint, key text, team text, client text, model text, upstream text,
    status int, ended text, input_tokens bigint, output_tokens bigint, cost bigint, is_estimated boolean, details jsonb)
$$;

-- The rows that were taken for lost, and whose exchanges have ended now.
CREATE FUNCTION lost_among(rows jsonb) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY(
    SELECT e.id FROM jsonb_to_recordset(rows) r(id text, at bigint, ended text)
      JOIN exchange e ON e.id = r.id AND e.at
        BETWEEN to_timestamp(r.at / 1000.0) - interval '1 day' AND to_timestamp(r.at / 1000.0) + interval '1 day'
    WHERE e.ended = 'lost' AND r.ended <> 'lost'
  )
$$;

-- Enters exchanges that have ended, each only once, and releases their reservations. Replaces the row of an exchange
-- that was taken for lost. Returns the IDs of the new and the replaced rows.
CREATE FUNCTION enter_known(of_replica text, rows jsonb) RETURNS SETOF text
LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  ids text[] := ARRAY(SELECT value ->> 'id' FROM jsonb_array_elements(rows));
  earliest timestamptz := (SELECT min(to_timestamp(r.at / 1000.0)) FROM jsonb_to_recordset(rows) r(at bigint))
    - interval '1 day';
  latest timestamptz := (SELECT max(to_timestamp(r.at / 1000.0)) FROM jsonb_to_recordset(rows) r(at bigint))
    + interval '1 day';
  replaced text[] := lost_among(rows);
  entered text[];
BEGIN
  IF cardinality(replaced) > 0 THEN
    PERFORM pg_advisory_xact_lock(7264001);
  ELSE
    PERFORM pg_advisory_xact_lock_shared(7264001);
    IF cardinality(lost_among(rows)) > 0 THEN
      RAISE EXCEPTION 'Exchanges were taken for lost meanwhile.' USING ERRCODE = 'serialization_failure';
    END IF;
  END IF;
  PERFORM lock_accounts(ids,
    ARRAY(SELECT DISTINCT s FROM jsonb_to_recordset(rows) r(key text, team text), unnest(ARRAY[r.key, r.team]) s
      WHERE s IS NOT NULL),
    ARRAY(SELECT DISTINCT day_of(to_timestamp(r.at / 1000.0)) FROM jsonb_to_recordset(rows) r(at bigint))
      || ARRAY(SELECT DISTINCT e.day FROM exchange e WHERE e.id = ANY (replaced) AND e.at BETWEEN earliest AND latest));
  IF cardinality(replaced) > 0 THEN
    PERFORM sum_up(replaced, -1, earliest, latest);
    UPDATE exchange e SET at = g.at, replica = of_replica, client = g.client, model = g.model, upstream = g.upstream,
        status = g.status, ended = g.ended, input_tokens = g.input_tokens, output_tokens = g.output_tokens,
        cost = g.cost, is_estimated = g.is_estimated, details = g.details
      FROM given_rows(rows) g WHERE e.id = g.id AND e.id = ANY (replaced) AND e.at BETWEEN earliest AND latest;
  END IF;
  WITH inserted AS (
    INSERT INTO exchange (id, at, day, replica, key, team, client, model, upstream, status, ended, input_tokens,
        output_tokens, cost, is_estimated, details)
      SELECT g.id, g.at, coalesce(v.day, day_of(g.at)), of_replica, g.key, g.team, g.client, g.model, g.upstream,
        g.status, g.ended, g.input_tokens, g.output_tokens, g.cost, g.is_estimated, g.details
      FROM given_rows(rows) g LEFT JOIN reservation v ON v.id = g.id
      WHERE NOT EXISTS (
        SELECT FROM exchange e WHERE e.id = g.id AND e.at BETWEEN g.at - interval '1 day' AND g.at + interval '1 day'
      ) ORDER BY g.id
      ON CONFLICT (id, at) DO NOTHING RETURNING id
  ) SELECT array_agg(id) INTO entered FROM inserted;
  PERFORM sum_up(entered || replaced, 1, earliest, latest);
  PERFORM release_locked(ids);
  RETURN QUERY SELECT unnest(entered || replaced);
END $$;

-- Enters exchanges of which none has a row with one statement. It inserts their rows, adds them to the daily sums and
-- accounts, and releases their reservations. Otherwise, some may have been taken for lost or sent again.
CREATE FUNCTION enter(of_replica text, rows jsonb) RETURNS SETOF text
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET enable_material = off AS $$
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
    RETURN QUERY SELECT * FROM enter_known(of_replica, rows);
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock_shared(7264001);
  IF EXISTS (SELECT FROM exchange e WHERE e.id = ANY (ids) AND e.at BETWEEN earliest AND latest) THEN
    RAISE EXCEPTION 'Exchanges were entered meanwhile.' USING ERRCODE = 'serialization_failure';
  END IF;
  PERFORM lock_accounts_of(ids, rows);
  WITH inserted AS (
    INSERT INTO exchange (id, at, day, replica, key, team, client, model, upstream, status, ended, input_tokens,
        output_tokens, cost, is_estimated, details)
      SELECT g.id, g.at, coalesce(v.day, day_of(g.at)), of_replica, g.key, g.team, g.client, g.model, g.upstream,
        g.status, g.ended, g.input_tokens, g.output_tokens, g.cost, g.is_estimated, g.details
      FROM given_rows(rows) g LEFT JOIN reservation v ON v.id = g.id
      ON CONFLICT (id, at) DO NOTHING RETURNING *
  ), summed AS (
    INSERT INTO usage_day AS u (day, key, team, client, model, upstream, exchanges, failed, unpriced, estimated,
        input_tokens, output_tokens, cost, unconfirmed_cost)
      SELECT e.day, coalesce(e.key, ''), coalesce(e.team, ''), coalesce(e.client, ''), coalesce(e.model, ''),
        coalesce(e.upstream, ''), count(*), count(*) FILTER (WHERE is_failed(e.ended, e.status)),
        count(*) FILTER (WHERE e.cost IS NULL AND e.input_tokens IS NOT NULL
        OR e.details ? 'attempts_cost' AND has_unpriced_attempt(e.input_tokens, e.output_tokens, e.details)),
        count(*) FILTER (WHERE e.is_estimated), coalesce(sum(e.input_tokens), 0),
        coalesce(sum(e.output_tokens), 0), coalesce(sum(e.cost), 0),
        coalesce(sum((e.details ->> 'unconfirmed_cost')::bigint), 0)
      FROM inserted e GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
      ON CONFLICT (day, key, team, client, model, upstream) DO UPDATE SET
        exchanges = u.exchanges + excluded.exchanges, failed = u.failed + excluded.failed,
        unpriced = u.unpriced + excluded.unpriced, estimated = u.estimated + excluded.estimated,
        input_tokens = u.input_tokens + excluded.input_tokens,
        output_tokens = u.output_tokens + excluded.output_tokens, cost = u.cost + excluded.cost,
        unconfirmed_cost = u.unconfirmed_cost + excluded.unconfirmed_cost
  ), released AS (
    DELETE FROM reservation v WHERE v.id = ANY (ids) RETURNING v.day, v.shares
  ), changes AS (
    SELECT o.scope, o.unit, o.period, o.start, 0 AS released, CASE o.unit WHEN 'usd' THEN coalesce(e.cost, 0)
        ELSE coalesce(e.input_tokens, 0) + coalesce(e.output_tokens, 0) END AS used
      FROM inserted e
        JOIN account o ON o.scope = ANY (ARRAY[e.key, e.team]) AND o.start = period_start(o.period, e.day)
    UNION ALL
    SELECT s.scope, s.unit, s.period, period_start(s.period, v.day), s.share, 0
      FROM released v, jsonb_to_recordset(v.shares) s(scope text, unit text, period text, share bigint)
  ), changed AS (
    UPDATE account a SET spent = a.spent + t.used, reserved = a.reserved - t.released FROM (
      SELECT scope, unit, period, start, sum(used) AS used, sum(released) AS released FROM changes GROUP BY 1, 2, 3, 4
    ) t WHERE a.scope = t.scope AND a.unit = t.unit AND a.period = t.period AND a.start = t.start
  )
  SELECT array_agg(id) INTO entered FROM inserted;
  RETURN QUERY SELECT unnest(entered);
END $$;

-- Enters the reservations of dead replicas as spent, in rows with the end `lost`. If the real rows arrive later, they
-- replace them. After the database server has started, replicas get one lease to report first. Returns the number of
-- rows.
CREATE FUNCTION settle_lost(lease interval) RETURNS bigint
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
  SET enable_mergejoin = off SET enable_material = off AS $$
#variable_conflict use_column
DECLARE
  deadline timestamptz := clock_timestamp() - lease;
  ids text[];
  entered text[];
  earliest timestamptz;
  latest timestamptz;
BEGIN
  IF pg_postmaster_start_time() > deadline OR NOT pg_try_advisory_xact_lock(7264002) THEN
    RETURN 0;
  END IF;
  SELECT array_agg(id), min(at) - interval '1 day', max(at) + interval '1 day' INTO ids, earliest, latest FROM (
    SELECT v.id, v.at FROM reservation v LEFT JOIN replica p ON p.id = v.replica
    WHERE v.at < deadline AND (p.id IS NULL OR p.seen_at < deadline) ORDER BY v.id LIMIT 500
  ) d;
  IF ids IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM pg_advisory_xact_lock(7264001);
  PERFORM lock_accounts(ids, '{}', '{}');
  WITH inserted AS (
    INSERT INTO exchange (id, at, day, replica, key, team, model, ended, input_tokens, output_tokens, cost,
        is_estimated, details)
      SELECT v.id, v.at, v.day, v.replica, v.key, v.team, v.model, 'lost', v.input_tokens, v.output_tokens, v.cost,
        true, jsonb_strip_nulls(jsonb_build_object('usage_bound', 'reservation', 'unconfirmed_cost', v.cost))
      FROM reservation v
      WHERE v.id = ANY (ids) AND NOT EXISTS (
        SELECT FROM exchange e WHERE e.id = v.id AND e.at BETWEEN v.at - interval '1 day' AND v.at + interval '1 day'
      )
      ORDER BY v.id
      ON CONFLICT (id, at) DO NOTHING RETURNING id
  ) SELECT array_agg(id) INTO entered FROM inserted;
  PERFORM sum_up(entered, 1, earliest, latest);
  PERFORM release_locked(ids);
  RETURN cardinality(ids);
END $$;

-- The ledger has partitions by month (in UTC), so that old rows are removed with their table and the indexes that are
-- written to stay small. A partitioned table can only guarantee that `id` and `at` together are unique. The functions
-- that enter exchanges therefore also look for the ID within a day of the row, because the row of a lost exchange has
-- the time of its reservation. They look no further, so that they read one or two partitions.
CREATE FUNCTION month_start(at timestamptz, months integer) RETURNS timestamptz
LANGUAGE sql IMMUTABLE AS $$
  SELECT (date_trunc('month', at AT TIME ZONE 'UTC') + months * interval '1 month') AT TIME ZONE 'UTC'
$$;

-- The end of a partition by its name; NULL for the partition of all other rows.
CREATE FUNCTION partition_end(partition text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN partition ~ '^exchange_until_\d{4}_\d{2}$'
      THEN to_timestamp(right(partition, 7) || ' 01', 'YYYY_MM DD')::timestamp AT TIME ZONE 'UTC'
    WHEN partition ~ '^exchange_\d{4}_\d{2}$'
      THEN month_start(to_timestamp(right(partition, 7) || ' 01', 'YYYY_MM DD')::timestamp AT TIME ZONE 'UTC', 1)
  END
$$;

-- Creates the partitions of this month and the next two, and removes those that are older than the setting
-- `exchange_days`, if it exists. Does nothing while another replica does it. A partition is attached without a lock
-- that the gateways' statements wait for. Returns the names of the partitions that were created and removed.
CREATE FUNCTION keep_partitions() RETURNS SETOF text LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
  kept_from timestamptz := clock_timestamp() - (SELECT value FROM setting WHERE name = 'exchange_days')::int
    * interval '1 day';
  covered timestamptz := coalesce((
    SELECT max(partition_end(c.relname)) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'exchange'::regclass
  ), month_start(clock_timestamp(), 0));
  first timestamptz;
  part record;
  name text;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7264004) THEN
    RETURN;
  END IF;
  FOR months IN 0..2 LOOP
    first := month_start(clock_timestamp(), months);
    CONTINUE WHEN first < covered;
    name := 'exchange_' || to_char(first AT TIME ZONE 'UTC', 'YYYY_MM');
    EXECUTE format('CREATE TABLE %I (LIKE exchange INCLUDING ALL)', name);
    EXECUTE format('WITH moved AS (DELETE FROM exchange_other WHERE at >= %L AND at < %L RETURNING *)
      INSERT INTO %I SELECT * FROM moved', first, month_start(first, 1), name);
    EXECUTE format('ALTER TABLE exchange ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
      name, first, month_start(first, 1));
    RETURN NEXT name;
  END LOOP;
  FOR part IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'exchange'::regclass AND partition_end(c.relname) <= kept_from ORDER BY 1
  LOOP
    EXECUTE format('DROP TABLE %I', part.relname);
    RETURN NEXT part.relname;
  END LOOP;
  DELETE FROM exchange_other WHERE at < kept_from;
END $$;

-- Removes what the oldest requests consisted of, and keeps their rows, if the rows with contexts are larger than the
-- setting `context_megabytes` (default: 1,024). Returns the number of requests, at most `max_rows`. Does nothing while
-- another replica does it. Rows that are being changed are skipped, so that nothing waits for a lock that it holds.
CREATE FUNCTION remove_contexts(max_rows int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  excess numeric;
  removed int;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7264005) THEN
    RETURN 0;
  END IF;
  SELECT coalesce(sum(pg_column_size(details)), 0)
    - coalesce((SELECT value FROM setting WHERE name = 'context_megabytes')::numeric, 1024) * 1048576
    INTO excess FROM exchange WHERE details ? 'context';
  WITH oldest AS MATERIALIZED (
    SELECT id, at, pg_column_size(details) AS bytes FROM exchange WHERE details ? 'context'
    ORDER BY at LIMIT CASE WHEN excess > 0 THEN max_rows ELSE 0 END FOR UPDATE SKIP LOCKED
  ), chosen AS MATERIALIZED (
    SELECT id, at FROM (SELECT id, at, sum(bytes) OVER (ORDER BY at, id) - bytes AS before FROM oldest) o
    WHERE o.before < excess
  )
  UPDATE exchange e SET details = e.details - 'context' FROM chosen c WHERE e.id = c.id AND e.at = c.at;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END $$;

-- Ends turns, then gives turns to requests in their order. A request that was sent again keeps its turn. Returns for
-- each request what it waits for, or NULL if it may be sent. Statements for the same key run one after the other.
-- They take no other locks that a statement for another key waits for. Their commits do not wait for the disk,
-- because what a crash of the server would forget is at most a second of counts.
CREATE FUNCTION take_turns(of_replica text, asked jsonb, ended jsonb, lease interval)
RETURNS TABLE (id text, block jsonb) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  key_lock int;
  asked_key text;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  FOR key_lock IN SELECT DISTINCT hashtext(r.key) FROM jsonb_to_recordset(asked || ended) r(key text) ORDER BY 1 LOOP
    PERFORM pg_advisory_xact_lock(7264003, key_lock);
  END LOOP;
  IF ended <> '[]' THEN
    PERFORM end_turns(of_replica, ended);
  END IF;
  FOR asked_key IN SELECT DISTINCT r.key FROM jsonb_to_recordset(asked) r(key text) LOOP
    RETURN QUERY SELECT t.id, t.block FROM take_turns_of(of_replica, asked_key, asked, lease) t;
  END LOOP;
END $$;

-- A queue that has not asked for three seconds waits no longer, which is longer than the interval of waiting
-- replicas.
CREATE FUNCTION end_turns(of_replica text, ended jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM turn t USING jsonb_to_recordset(ended) e(id text, is_gone boolean) WHERE t.id = e.id AND e.is_gone;
  UPDATE turn t SET is_running = false, tokens = coalesce(e.tokens, t.tokens)
    FROM jsonb_to_recordset(ended) e(id text, tokens bigint, is_gone boolean) WHERE t.id = e.id AND NOT e.is_gone;
  DELETE FROM turn_queue q USING jsonb_to_recordset(ended) e(id text, key text)
    WHERE q.key = e.key AND q.replica = of_replica AND q.head = e.id;
  PERFORM pg_notify('model_access_turns', w.key) FROM (
    SELECT DISTINCT q.key FROM turn_queue q, jsonb_to_recordset(ended) e(key text)
    WHERE q.key = e.key AND q.replica <> of_replica AND q.asked_at > clock_timestamp() - interval '3 seconds'
  ) w;
END $$;

-- Requests that have waited longer in other replicas keep a place. The first request that gets no turn blocks those
-- after it.
CREATE FUNCTION take_turns_of(of_replica text, of_key text, asked jsonb, lease interval)
RETURNS TABLE (id text, block jsonb) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz := clock_timestamp();
  limits jsonb := (SELECT k.terms -> 'limits' FROM api_key k WHERE k.id = of_key);
  max_running bigint := limits ->> 'parallel';
  max_requests bigint := limits ->> 'requestsPerMinute';
  max_tokens bigint := limits ->> 'tokensPerMinute';
  had text[] := ARRAY(SELECT t.id FROM turn t, jsonb_to_recordset(asked) r(id text) WHERE t.id = r.id);
  waits_since timestamptz;
  ahead bigint;
  ahead_tokens bigint;
  running bigint;
  requests bigint;
  used bigint;
  r record;
  taken text[] := '{}';
  taken_tokens bigint[] := '{}';
  reached text;
  found jsonb;
BEGIN
  SELECT count(*) FILTER (WHERE t.is_running AND (p.seen_at > moment - lease
        OR (p.id IS NOT NULL AND pg_postmaster_start_time() > moment - lease))),
      count(*) FILTER (WHERE t.at > moment - interval '1 minute'),
      coalesce(sum(t.tokens) FILTER (WHERE t.at > moment - interval '1 minute'), 0)
    INTO running, requests, used
    FROM turn t LEFT JOIN replica p ON p.id = t.replica WHERE t.key = of_key;
  SELECT coalesce((SELECT q.since FROM turn_queue q WHERE q.key = of_key AND q.replica = of_replica AND q.head = a.id),
      moment - a.waited * interval '1 millisecond')
    INTO waits_since
    FROM ROWS FROM (jsonb_to_recordset(asked) AS (id text, key text, waited bigint))
      WITH ORDINALITY AS a(id, key, waited, place)
    WHERE a.key = of_key ORDER BY a.place LIMIT 1;
  SELECT count(*), coalesce(sum(q.tokens), 0) INTO ahead, ahead_tokens FROM turn_queue q
    WHERE q.key = of_key AND q.replica <> of_replica AND q.asked_at > moment - interval '3 seconds'
      AND (q.since, q.replica) < (waits_since, of_replica);
  FOR r IN
    SELECT a.* FROM ROWS FROM (jsonb_to_recordset(asked) AS (id text, key text, tokens bigint, waited bigint))
      WITH ORDINALITY AS a(id, key, tokens, waited, place)
    WHERE a.key = of_key ORDER BY a.place
  LOOP
    id := r.id;
    IF r.id = ANY (had) THEN
      block := NULL;
      RETURN NEXT;
      CONTINUE;
    END IF;
    IF reached IS NULL THEN
      reached := CASE
        WHEN running + ahead >= max_running THEN 'parallel'
        WHEN requests + ahead >= max_requests THEN 'requestsPerMinute'
        WHEN used + ahead_tokens + least(r.tokens, max_tokens) > max_tokens THEN 'tokensPerMinute'
      END;
      IF reached IS NULL THEN
        taken := taken || r.id;
        taken_tokens := taken_tokens || r.tokens;
        running := running + 1;
        requests := requests + 1;
        used := used + r.tokens;
      ELSE
        INSERT INTO turn SELECT t, of_key, of_replica, moment, n, true FROM unnest(taken, taken_tokens) x(t, n);
        found := turn_block(of_key, reached, limits, moment, ahead, ahead_tokens, r.tokens);
        INSERT INTO turn_queue AS q VALUES (of_key, of_replica, r.id, least(r.tokens, max_tokens),
            moment - r.waited * interval '1 millisecond', moment)
          ON CONFLICT (key, replica) DO UPDATE SET head = excluded.head, tokens = excluded.tokens,
            since = CASE WHEN q.head = excluded.head THEN q.since ELSE excluded.since END,
            asked_at = excluded.asked_at;
      END IF;
    END IF;
    block := found;
    RETURN NEXT;
  END LOOP;
  IF reached IS NULL THEN
    INSERT INTO turn SELECT t, of_key, of_replica, moment, n, true FROM unnest(taken, taken_tokens) x(t, n);
    DELETE FROM turn_queue q WHERE q.key = of_key AND q.replica = of_replica;
  END IF;
END $$;

-- The limit that blocks a request, for how long if only time has to pass, and what is left of the limits.
CREATE FUNCTION turn_block(of_key text, reached text, limits jsonb, moment timestamptz, ahead bigint,
  ahead_tokens bigint, needed bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  max_requests bigint := limits ->> 'requestsPerMinute';
  max_tokens bigint := limits ->> 'tokensPerMinute';
  requests bigint;
  used bigint;
  newest timestamptz;
  frees timestamptz;
BEGIN
  SELECT count(*), coalesce(sum(t.tokens), 0), max(t.at) INTO requests, used, newest
    FROM turn t WHERE t.key = of_key AND t.at > moment - interval '1 minute';
  IF reached = 'requestsPerMinute' THEN
    SELECT t.at INTO frees FROM turn t WHERE t.key = of_key AND t.at > moment - interval '1 minute'
      ORDER BY t.at OFFSET greatest(0, requests + ahead - max_requests) LIMIT 1;
    frees := coalesce(frees, newest);
  ELSIF reached = 'tokensPerMinute' THEN
    SELECT min(w.at) INTO frees FROM (
      SELECT t.at, sum(t.tokens) OVER (ORDER BY t.at, t.id) AS freed FROM turn t
      WHERE t.key = of_key AND t.at > moment - interval '1 minute'
    ) w WHERE used + ahead_tokens - w.freed + least(needed, max_tokens) <= max_tokens;
    frees := coalesce(frees, newest);
  END IF;
  RETURN jsonb_build_object('limit', reached,
    'ms', ceil(extract(epoch FROM frees + interval '1 minute' - moment) * 1000),
    'requests', requests, 'tokens', used,
    'resetMs', coalesce(ceil(extract(epoch FROM newest + interval '1 minute' - moment) * 1000), 0));
END $$;

-- Deletes turns that no longer count. Those of a replica without a lease are kept for a while, in case it returns.
-- Rows that another statement changes are left for the next time, because waiting for them could be a deadlock.
CREATE FUNCTION prune_turns() RETURNS void LANGUAGE sql AS $$
  DELETE FROM turn WHERE id IN (
    SELECT t.id FROM turn t WHERE t.at < clock_timestamp() - interval '1 minute' AND (NOT t.is_running OR NOT EXISTS (
      SELECT FROM replica p WHERE p.id = t.replica AND p.seen_at > clock_timestamp() - interval '1 hour'
    )) FOR UPDATE OF t SKIP LOCKED
  );
  DELETE FROM turn_queue WHERE (key, replica) IN (
    SELECT q.key, q.replica FROM turn_queue q WHERE q.asked_at < clock_timestamp() - interval '1 minute'
    FOR UPDATE SKIP LOCKED
  );
$$;

-- Adds the speeds of answers, in tokens per second, oldest first. Locks rows in the order of their key. Keeps the
-- latest 50.
CREATE FUNCTION add_speeds(given jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO output_speed AS o (upstream, model, answers)
    SELECT g.upstream, g.model, g.answers
    FROM jsonb_to_recordset(given) g(upstream text, model text, answers real[]) ORDER BY 1, 2
    ON CONFLICT (upstream, model) DO UPDATE SET at = now(), answers = (o.answers || excluded.answers)
      [greatest(1, cardinality(o.answers) + cardinality(excluded.answers) - 49):]
$$;

CREATE FUNCTION add_refusals(given jsonb) RETURNS void LANGUAGE sql AS $$
  DELETE FROM refusal WHERE until < now();
  INSERT INTO refusal (id, upstream, settings, model, changes, shape, until)
    SELECT g.id, g.upstream, g.settings, g.model, g.changes, g.shape, g.until
    FROM jsonb_to_recordset(given)
      g(id text, upstream text, settings text, model text, changes jsonb, shape text, until timestamptz)
    ORDER BY 1
    ON CONFLICT (id) DO UPDATE SET until = excluded.until;
  SELECT pg_notify('model_access_refusals', '');
$$;

CREATE FUNCTION remove_refusals(ids text[]) RETURNS bigint LANGUAGE sql AS $$
  SELECT pg_notify('model_access_refusals', '');
  WITH removed AS (DELETE FROM refusal WHERE id = ANY (ids) RETURNING 1) SELECT count(*) FROM removed;
$$;

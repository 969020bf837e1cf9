/**
 * The limits of keys (`parallel`, `requestsPerMinute`, `tokensPerMinute`), counted over all replicas.
 *
 * `turn` has each request of a key with limits that was sent within the last minute or is running. A running request of
 * a replica whose lease has ended does not count. `turn_queue` has the request that has waited longest in each replica;
 * a replica that has not asked for a while waits no longer. A freed place is announced on the channel
 * `model_access_turns` to replicas that wait for it.
 *
 * All times are those of the database's clock. Statements for the same key run one after the other, by an advisory
 * lock. They take no other locks that a statement for another key waits for. Their commits do not wait for the disk,
 * because what a crash of the server would forget is at most a second of counts.
 */
const TURN_LOCKS = 7_264_003;

const WINDOW = "interval '1 minute'";
/** Longer than the interval at which waiting replicas ask. */
const WAITS_FOR = "interval '3 seconds'";

const TURN_TABLES = `
  CREATE TABLE turn (
    id text PRIMARY KEY,
    key text NOT NULL,
    replica text NOT NULL,
    at timestamptz NOT NULL,
    tokens bigint NOT NULL,
    is_running boolean NOT NULL
  ) WITH (fillfactor = 70);
  CREATE INDEX turn_by_key ON turn (key, at);

  CREATE TABLE turn_queue (
    key text NOT NULL,
    replica text NOT NULL,
    head text NOT NULL,
    tokens bigint NOT NULL,
    since timestamptz NOT NULL,
    asked_at timestamptz NOT NULL,
    PRIMARY KEY (key, replica)
  );
`;

/**
 * Ends turns, then gives turns to requests in their order. A request that was sent again keeps its turn.
 * @returns for each request what it waits for, or null if it may be sent.
 */
const TAKING = `
  CREATE FUNCTION take_turns_5(of_replica text, asked jsonb, ended jsonb, lease interval)
  RETURNS TABLE (id text, block jsonb) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    key_lock int;
    asked_key text;
  BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    FOR key_lock IN SELECT DISTINCT hashtext(r.key) FROM jsonb_to_recordset(asked || ended) r(key text) ORDER BY 1 LOOP
      PERFORM pg_advisory_xact_lock(${TURN_LOCKS}, key_lock);
    END LOOP;
    IF ended <> '[]' THEN
      PERFORM end_turns_5(of_replica, ended);
    END IF;
    FOR asked_key IN SELECT DISTINCT r.key FROM jsonb_to_recordset(asked) r(key text) LOOP
      RETURN QUERY SELECT t.id, t.block FROM take_turns_of_5(of_replica, asked_key, asked, lease) t;
    END LOOP;
  END $$;

  CREATE FUNCTION end_turns_5(of_replica text, ended jsonb) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM turn t USING jsonb_to_recordset(ended) e(id text, is_gone boolean) WHERE t.id = e.id AND e.is_gone;
    UPDATE turn t SET is_running = false, tokens = coalesce(e.tokens, t.tokens)
      FROM jsonb_to_recordset(ended) e(id text, tokens bigint, is_gone boolean) WHERE t.id = e.id AND NOT e.is_gone;
    DELETE FROM turn_queue q USING jsonb_to_recordset(ended) e(id text, key text)
      WHERE q.key = e.key AND q.replica = of_replica AND q.head = e.id;
    PERFORM pg_notify('model_access_turns', w.key) FROM (
      SELECT DISTINCT q.key FROM turn_queue q, jsonb_to_recordset(ended) e(key text)
      WHERE q.key = e.key AND q.replica <> of_replica AND q.asked_at > clock_timestamp() - ${WAITS_FOR}
    ) w;
  END $$;
`;

/**
 * Requests that have waited longer in other replicas keep a place. The first request that gets no turn blocks those
 * after it.
 */
const TAKING_OF_KEY = `
  CREATE FUNCTION take_turns_of_5(of_replica text, of_key text, asked jsonb, lease interval)
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
        count(*) FILTER (WHERE t.at > moment - ${WINDOW}),
        coalesce(sum(t.tokens) FILTER (WHERE t.at > moment - ${WINDOW}), 0)
      INTO running, requests, used
      FROM turn t LEFT JOIN replica p ON p.id = t.replica WHERE t.key = of_key;
    SELECT coalesce((SELECT q.since FROM turn_queue q WHERE q.key = of_key AND q.replica = of_replica AND q.head = a.id),
        moment - a.waited * interval '1 millisecond')
      INTO waits_since
      FROM ROWS FROM (jsonb_to_recordset(asked) AS (id text, key text, waited bigint))
        WITH ORDINALITY AS a(id, key, waited, place)
      WHERE a.key = of_key ORDER BY a.place LIMIT 1;
    SELECT count(*), coalesce(sum(q.tokens), 0) INTO ahead, ahead_tokens FROM turn_queue q
      WHERE q.key = of_key AND q.replica <> of_replica AND q.asked_at > moment - ${WAITS_FOR}
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
          found := turn_block_5(of_key, reached, limits, moment, ahead, ahead_tokens, r.tokens);
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
`;

/** Returns the limit that blocks a request, for how long if only time has to pass, and what is left of the limits. */
const BLOCKS = `
  CREATE FUNCTION turn_block_5(of_key text, reached text, limits jsonb, moment timestamptz, ahead bigint,
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
      FROM turn t WHERE t.key = of_key AND t.at > moment - ${WINDOW};
    IF reached = 'requestsPerMinute' THEN
      SELECT t.at INTO frees FROM turn t WHERE t.key = of_key AND t.at > moment - ${WINDOW}
        ORDER BY t.at OFFSET greatest(0, requests + ahead - max_requests) LIMIT 1;
      frees := coalesce(frees, newest);
    ELSIF reached = 'tokensPerMinute' THEN
      SELECT min(w.at) INTO frees FROM (
        SELECT t.at, sum(t.tokens) OVER (ORDER BY t.at, t.id) AS freed FROM turn t
        WHERE t.key = of_key AND t.at > moment - ${WINDOW}
      ) w WHERE used + ahead_tokens - w.freed + least(needed, max_tokens) <= max_tokens;
      frees := coalesce(frees, newest);
    END IF;
    RETURN jsonb_build_object('limit', reached,
      'ms', ceil(extract(epoch FROM frees + ${WINDOW} - moment) * 1000),
      'requests', requests, 'tokens', used,
      'resetMs', coalesce(ceil(extract(epoch FROM newest + ${WINDOW} - moment) * 1000), 0));
  END $$;
`;

/**
 * Deletes turns that no longer count. Those of a replica without a lease are kept for a while, in case it returns. Rows
 * that another statement changes are left for the next time, because waiting for them could be a deadlock.
 */
const PRUNING = `
  CREATE FUNCTION prune_turns_5() RETURNS void LANGUAGE sql AS $$
    DELETE FROM turn WHERE id IN (
      SELECT t.id FROM turn t WHERE t.at < clock_timestamp() - ${WINDOW} AND (NOT t.is_running OR NOT EXISTS (
        SELECT FROM replica p WHERE p.id = t.replica AND p.seen_at > clock_timestamp() - interval '1 hour'
      )) FOR UPDATE OF t SKIP LOCKED
    );
    DELETE FROM turn_queue WHERE (key, replica) IN (
      SELECT q.key, q.replica FROM turn_queue q WHERE q.asked_at < clock_timestamp() - ${WINDOW}
      FOR UPDATE SKIP LOCKED
    );
  $$;
`;

export const TURNS = [TURN_TABLES, TAKING, TAKING_OF_KEY, BLOCKS, PRUNING].join('\n');

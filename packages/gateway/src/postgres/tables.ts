/**
 * The first version of the schema. Amounts of money are integers in billionths of a US dollar. `start` and `day` are
 * days in the time zone of the table `setting`, which is the same for all replicas.
 *
 * `account` has what was spent of a budget in one period, and what running requests may still spend; each day or month
 * has its own row. `reservation` has the amounts reserved for one request, and its `shares` name the accounts.
 * `exchange` is the ledger, and `usage_day` its daily sums. `response` has the answers that later requests can
 * continue; each row contains only what was added to its `parent`. Every change of keys, teams, and budgets is
 * announced on the channel `model_access_keys`. Version 6 partitions `exchange` (see `partitions.ts`).
 */
export const TABLES = `
  CREATE TABLE team (
    id text PRIMARY KEY,
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz
  );
  CREATE UNIQUE INDEX team_by_name ON team (lower(name)) WHERE revoked_at IS NULL;

  CREATE TABLE api_key (
    id text PRIMARY KEY,
    name text NOT NULL,
    digest bytea NOT NULL UNIQUE,
    team text REFERENCES team,
    terms jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    rotated_at timestamptz,
    expires_at timestamptz,
    revoked_at timestamptz
  );
  CREATE UNIQUE INDEX api_key_by_name ON api_key (lower(name)) WHERE revoked_at IS NULL;

  CREATE TABLE budget (
    scope text NOT NULL,
    unit text NOT NULL CHECK (unit IN ('usd', 'tokens')),
    period text NOT NULL CHECK (period IN ('total', 'daily', 'monthly')),
    amount bigint NOT NULL CHECK (amount > 0),
    PRIMARY KEY (scope, unit, period)
  );

  CREATE TABLE account (
    scope text NOT NULL,
    unit text NOT NULL,
    period text NOT NULL,
    start date NOT NULL,
    spent bigint NOT NULL,
    reserved bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (scope, unit, period, start)
  ) WITH (fillfactor = 50);

  CREATE TABLE replica (
    id text PRIMARY KEY,
    seen_at timestamptz NOT NULL
  );

  CREATE TABLE reservation (
    id text PRIMARY KEY,
    replica text NOT NULL,
    key text NOT NULL,
    team text,
    model text,
    at timestamptz NOT NULL,
    day date NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    cost bigint,
    shares jsonb NOT NULL
  );
  CREATE INDEX reservation_by_replica ON reservation (replica);

  CREATE TABLE exchange (
    id text PRIMARY KEY,
    at timestamptz NOT NULL,
    day date NOT NULL,
    replica text NOT NULL,
    key text,
    team text,
    client text,
    model text,
    upstream text,
    status int,
    ended text NOT NULL,
    input_tokens bigint,
    output_tokens bigint,
    cost bigint,
    is_estimated boolean NOT NULL,
    details jsonb NOT NULL
  );
  CREATE INDEX exchange_by_key ON exchange (key, at DESC);
  CREATE INDEX exchange_by_time ON exchange (at DESC);

  CREATE TABLE usage_day (
    day date NOT NULL,
    key text NOT NULL,
    team text NOT NULL,
    client text NOT NULL,
    model text NOT NULL,
    upstream text NOT NULL,
    exchanges bigint NOT NULL,
    failed bigint NOT NULL,
    unpriced bigint NOT NULL,
    estimated bigint NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    cost bigint NOT NULL,
    PRIMARY KEY (day, key, team, client, model, upstream)
  ) WITH (fillfactor = 70);
  CREATE INDEX usage_day_by_key ON usage_day (key, day);
  CREATE INDEX usage_day_by_team ON usage_day (team, day);

  CREATE TABLE response (
    key text NOT NULL,
    id text NOT NULL,
    parent text,
    context text NOT NULL,
    messages text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (key, id)
  );
  CREATE INDEX response_by_time ON response (at);

  CREATE TABLE response_item (
    key text NOT NULL,
    id text NOT NULL,
    item text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (key, id)
  );
  CREATE INDEX response_item_by_time ON response_item (at);

  CREATE FUNCTION announce_keys() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_notify('model_access_keys', '');
    RETURN NULL;
  END $$;
  CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON api_key EXECUTE FUNCTION announce_keys();
  CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON team EXECUTE FUNCTION announce_keys();
  CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON budget EXECUTE FUNCTION announce_keys();
`;

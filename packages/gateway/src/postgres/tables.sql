-- The tables of the gateway's database. Amounts of money are integers in billionths of a US dollar. `start` and `day` are
-- days in the time zone of the table `setting`, which is the same for all replicas.
--
-- `account` has what was spent of a budget in one period, and what running requests may still spend; each day or month has
-- its own row. `reservation` has the amounts reserved for one request and its `attempts`, and its `shares` name the
-- accounts. `exchange` is the ledger, in partitions by month, with `exchange_other` for the rows of a month without one,
-- and `usage_day` its daily sums, of whose cost `unconfirmed_cost` is the part that no upstream reported. `response` has
-- the answers that later requests can continue; each row contains only what was added to its `parent`. `output_speed` has
-- how fast models wrote their latest answers, and `refusal` what the upstreams refuse, with a digest of it as ID.
--
-- `turn` has each request of a key with limits that was sent within the last minute or is running. A running request of a
-- replica whose lease has ended does not count. `turn_queue` has the request that has waited longest in each replica.
--
-- Every change of keys, teams, and budgets is announced on the channel `model_access_keys`, of refusals on
-- `model_access_refusals`, and a freed turn on `model_access_turns`, to replicas that wait for it.

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
  shares jsonb NOT NULL,
  attempts int NOT NULL DEFAULT 1
);
CREATE INDEX reservation_by_replica ON reservation (replica);

CREATE TABLE exchange (
  id text NOT NULL,
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
  details jsonb NOT NULL,
  PRIMARY KEY (id, at)
) PARTITION BY RANGE (at);
CREATE TABLE exchange_other PARTITION OF exchange DEFAULT;
CREATE INDEX exchange_by_key ON exchange (key, at DESC);
CREATE INDEX exchange_by_session ON exchange ((details ->> 'session_id')) WHERE details ->> 'session_id' IS NOT NULL;

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
  unconfirmed_cost bigint NOT NULL DEFAULT 0,
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

CREATE TABLE output_speed (
  upstream text NOT NULL,
  model text NOT NULL,
  answers real[] NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (upstream, model)
) WITH (fillfactor = 70);

CREATE TABLE refusal (
  id text PRIMARY KEY,
  upstream text NOT NULL,
  settings text NOT NULL,
  model text NOT NULL,
  changes jsonb NOT NULL,
  shape text,
  until timestamptz NOT NULL
);

CREATE FUNCTION announce_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('model_access_keys', '');
  RETURN NULL;
END $$;
CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON api_key EXECUTE FUNCTION announce_keys();
CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON team EXECUTE FUNCTION announce_keys();
CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON budget EXECUTE FUNCTION announce_keys();

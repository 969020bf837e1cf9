-- The tables of the ledger.
--
-- Times are milliseconds since the epoch, costs billionths of a US dollar, and prices US dollars per million tokens. NULL
-- means unknown. `pruned` has the spending of removed rows by quarters of an hour, because budgets still need it.
--
-- `attempts` has the attempts of an exchange as JSON, and `attempts_cost` is the part of `cost` billed for failed attempts.
-- The tokens of failed attempts are not included in the row's tokens.
--
-- `running` has the exchanges that have not ended (see `runningRows.ts`). `daily` and `daily_times` have the sums of the
-- rows up to the number in `summarised` (see `summary.ts`); in them, an empty string means unknown. `balances` has the
-- balances that the service reported, in billionths of a US dollar (see `balanceReadings.ts`). `session_key` has the key of
-- the hashes in `session_id`, `agent_id`, and `turn_id`. `secrets` has the kinds of secrets found, separated by commas, and
-- `sealed_secrets` how many of them were replaced. `agent_type` is the client's name for its kind of subagent, and `tool_ms`
-- how long its tools ran before the request. `step` is the number of the request in its run of the chat panel's agent; the
-- run is the turn. `reported_cost` is what the upstream reported to have charged for the answer: its part of `cost`.
-- `usage_bound` is what the usage follows from, and `unconfirmed_cost` the part of `cost` for usage that no upstream
-- reported. `repository` and `branch` are names of the workspace that a request was for. `daily` does not have them.
-- `context` has what the request consisted of, as JSON (see `contextCost.ts`). `output_limit` is the limit of the output
-- that the gateway has set, because a budget covered no more, in tokens.

CREATE TABLE exchanges (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  source TEXT NOT NULL,
  local_key_id TEXT,
  client TEXT,
  endpoint TEXT,
  caller_format TEXT,
  upstream_format TEXT,
  model TEXT,
  upstream TEXT,
  status INTEGER,
  first_byte_ms REAL,
  duration_ms REAL NOT NULL,
  input_tokens INTEGER,
  output_tokens INTEGER,
  cached_input_tokens INTEGER,
  cache_write_tokens INTEGER,
  reasoning_tokens INTEGER,
  usage_is_estimated INTEGER NOT NULL,
  cost INTEGER,
  input_price REAL,
  output_price REAL,
  cached_input_price REAL,
  ended TEXT NOT NULL,
  conversation_id TEXT,
  queue_ms REAL,
  long_cache_write_tokens INTEGER,
  audio_input_tokens INTEGER,
  image_input_tokens INTEGER,
  audio_output_tokens INTEGER,
  image_output_tokens INTEGER,
  web_searches INTEGER,
  cache_write_price REAL,
  long_cache_write_price REAL,
  audio_input_price REAL,
  image_input_price REAL,
  audio_output_price REAL,
  image_output_price REAL,
  web_search_price REAL,
  assumed_prices TEXT,
  cache_saving INTEGER,
  session_id TEXT,
  agent_id TEXT,
  turn_id TEXT,
  cache_miss_reason TEXT,
  cache_missed_tokens INTEGER,
  cache_miss_cost INTEGER,
  estimate_error REAL,
  estimate_reports INTEGER,
  answered_model TEXT,
  route TEXT,
  route_rule INTEGER,
  route_when TEXT,
  attempts TEXT,
  attempts_cost INTEGER,
  attempts_input_tokens INTEGER,
  attempts_output_tokens INTEGER,
  secrets TEXT,
  agent_type TEXT,
  upstream_miss_reason TEXT,
  tool_ms INTEGER,
  step INTEGER,
  reported_cost INTEGER,
  reasoning_price REAL,
  request_price REAL,
  usage_bound TEXT,
  unconfirmed_cost INTEGER,
  repository TEXT,
  branch TEXT,
  context TEXT,
  output_limit INTEGER,
  sealed_secrets INTEGER
) STRICT;
CREATE INDEX exchanges_by_accuracy ON exchanges (model, number) WHERE estimate_reports IS NOT NULL;
CREATE INDEX exchanges_by_branch ON exchanges (repository, branch, at) WHERE repository IS NOT NULL;
CREATE INDEX exchanges_by_context ON exchanges (at) WHERE context IS NOT NULL;
CREATE INDEX exchanges_by_conversation ON exchanges (conversation_id, at) WHERE conversation_id IS NOT NULL;
CREATE INDEX exchanges_by_key ON exchanges (local_key_id, at, input_tokens, output_tokens, cost);
CREATE INDEX exchanges_by_session ON exchanges (session_id, at) WHERE session_id IS NOT NULL;
CREATE INDEX exchanges_by_time ON exchanges (at);
CREATE INDEX exchanges_estimated ON exchanges (local_key_id, at) WHERE usage_is_estimated = 1;
CREATE INDEX exchanges_of_runs ON exchanges (at) WHERE step IS NOT NULL;
CREATE INDEX exchanges_unconfirmed ON exchanges (local_key_id, at, unconfirmed_cost) WHERE unconfirmed_cost IS NOT NULL;

CREATE TABLE running AS SELECT * FROM exchanges WHERE 0;
ALTER TABLE running DROP COLUMN number;
ALTER TABLE running ADD COLUMN writer TEXT;
ALTER TABLE running ADD COLUMN process INTEGER;
ALTER TABLE running ADD COLUMN seen_at INTEGER;
CREATE UNIQUE INDEX running_by_id ON running (id);

CREATE TABLE pruned (
  local_key_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cost INTEGER NOT NULL,
  estimated INTEGER NOT NULL DEFAULT 0,
  unconfirmed_cost INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (local_key_id, at)
) STRICT, WITHOUT ROWID;

CREATE TABLE daily (
  day TEXT NOT NULL,
  source TEXT NOT NULL,
  local_key_id TEXT NOT NULL,
  client TEXT NOT NULL,
  model TEXT NOT NULL,
  upstream TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  exchanges INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  unpriced INTEGER NOT NULL,
  estimated INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cached_input_tokens INTEGER NOT NULL,
  reasoning_tokens INTEGER NOT NULL,
  cost INTEGER NOT NULL,
  cache_write_tokens INTEGER NOT NULL DEFAULT 0,
  cache_saving INTEGER NOT NULL DEFAULT 0,
  unconfirmed_cost INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (day, source, local_key_id, client, model, upstream, conversation_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE daily_times (
  day TEXT NOT NULL,
  measure TEXT NOT NULL,
  model TEXT NOT NULL,
  upstream TEXT NOT NULL,
  bucket INTEGER NOT NULL,
  exchanges INTEGER NOT NULL,
  PRIMARY KEY (day, measure, model, upstream, bucket)
) STRICT, WITHOUT ROWID;

CREATE TABLE summarised (up_to INTEGER NOT NULL) STRICT;
INSERT INTO summarised VALUES (0);

CREATE TABLE balances (
  number INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  account TEXT NOT NULL,
  upstream TEXT NOT NULL,
  kind TEXT NOT NULL,
  remaining INTEGER NOT NULL,
  drawn INTEGER NOT NULL,
  recorded INTEGER NOT NULL,
  unpriced INTEGER NOT NULL,
  estimated INTEGER NOT NULL
) STRICT;
CREATE INDEX balances_by_account ON balances (account, at);

CREATE TABLE session_key (value BLOB NOT NULL) STRICT;
INSERT INTO session_key VALUES (randomblob(32));

import type { DatabaseSync } from 'node:sqlite';
import { inTransaction, LedgerError } from './sqlite.ts';

/** In every time zone, days start on a multiple of a quarter of an hour. */
export const QUARTER_HOUR_MS = 15 * 60 * 1000;

/**
 * SQL condition for rows of `exchanges` that used tokens of unknown price. The cost of such a row is NULL, or only that
 * of its other attempts.
 */
export const UNPRICED = `(
  (input_tokens + output_tokens > 0 AND reported_cost IS NULL
    AND (cost IS NULL OR (attempts_cost IS NOT NULL AND input_price IS NULL)))
  OR (attempts_cost IS NOT NULL AND EXISTS (
    SELECT 1 FROM json_each(exchanges.attempts) AS attempt
    WHERE json_extract(attempt.value, '$.usage') IS NOT NULL AND json_extract(attempt.value, '$.cost') IS NULL)))`;

/**
 * Each migration upgrades a file by one version; the first one creates the tables. Users have files of all these
 * versions, so append migrations and never change a released one.
 *
 * Times are milliseconds since the epoch, costs billionths of a US dollar, and prices US dollars per million tokens.
 * NULL means unknown. `pruned` has the spending of removed rows by quarters of an hour, because budgets still need it.
 *
 * `attempts` has the attempts of an exchange as JSON, and `attempts_cost` is the part of `cost` billed for failed
 * attempts. The tokens of failed attempts are not included in the row's tokens.
 *
 * `running` has the exchanges that have not ended (see `runningRows.ts`). `daily` and `daily_times` have the sums of
 * the rows up to the number in `summarised` (see `summary.ts`); in them, an empty string means unknown. `balances` has
 * the balances that the service reported, in billionths of a US dollar (see `balanceReadings.ts`). `session_key` has
 * the key of the hashes in `session_id`, `agent_id`, and `turn_id`. `secrets` has the kinds of secrets found, separated
 * by commas, and `sealed_secrets` how many of them were replaced. `agent_type` is the client's name for its kind of subagent, and `tool_ms` how long its tools
 * ran before the request. `step` is the number of the request in its run of the chat panel's agent; the run is the
 * turn. `reported_cost` is what the upstream reported to have charged for the answer: its part of `cost`. `usage_bound`
 * is what the usage follows from, and `unconfirmed_cost` the part of `cost` for usage that no upstream reported.
 * `repository` and `branch` are names of the workspace that a request was for. `daily` does not have them. `context` has what the request consisted
 * of, as JSON (see `contextCost.ts`). `output_limit` is the limit of the output that the gateway has set, because a
 * budget covered no more, in tokens.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE exchanges (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    at INTEGER NOT NULL,
    source TEXT NOT NULL,
    local_key_id TEXT,
    client TEXT,
    endpoint TEXT,
    format_in TEXT,
    format_out TEXT,
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
    ended TEXT NOT NULL
  ) STRICT;
  CREATE INDEX exchanges_by_time ON exchanges (at);
  CREATE INDEX exchanges_by_key ON exchanges (local_key_id, at, input_tokens, output_tokens, cost);

  CREATE TABLE pruned (
    local_key_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cost INTEGER NOT NULL,
    PRIMARY KEY (local_key_id, at)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE exchanges ADD COLUMN conversation_id TEXT;
  CREATE INDEX exchanges_by_conversation ON exchanges (conversation_id, at) WHERE conversation_id IS NOT NULL;

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
  `,
  'ALTER TABLE exchanges ADD COLUMN queue_ms REAL',
  `
  ALTER TABLE exchanges RENAME COLUMN format_in TO caller_format;
  ALTER TABLE exchanges RENAME COLUMN format_out TO upstream_format;
  ALTER TABLE exchanges ADD COLUMN long_cache_write_tokens INTEGER;
  ALTER TABLE exchanges ADD COLUMN audio_input_tokens INTEGER;
  ALTER TABLE exchanges ADD COLUMN image_input_tokens INTEGER;
  ALTER TABLE exchanges ADD COLUMN audio_output_tokens INTEGER;
  ALTER TABLE exchanges ADD COLUMN image_output_tokens INTEGER;
  ALTER TABLE exchanges ADD COLUMN web_searches INTEGER;
  ALTER TABLE exchanges ADD COLUMN cache_write_price REAL;
  ALTER TABLE exchanges ADD COLUMN long_cache_write_price REAL;
  ALTER TABLE exchanges ADD COLUMN audio_input_price REAL;
  ALTER TABLE exchanges ADD COLUMN image_input_price REAL;
  ALTER TABLE exchanges ADD COLUMN audio_output_price REAL;
  ALTER TABLE exchanges ADD COLUMN image_output_price REAL;
  ALTER TABLE exchanges ADD COLUMN web_search_price REAL;
  ALTER TABLE exchanges ADD COLUMN assumed_prices TEXT;
  ALTER TABLE exchanges ADD COLUMN cache_saving INTEGER;
  UPDATE exchanges SET cached_input_price = input_price
    WHERE cached_input_tokens > 0 AND cached_input_price IS NULL AND input_price IS NOT NULL;
  UPDATE exchanges SET cache_write_price = input_price WHERE cache_write_tokens > 0 AND input_price IS NOT NULL;
  UPDATE exchanges
    SET cache_saving = CAST(round(cached_input_tokens * (input_price - cached_input_price) * 1000) AS INTEGER)
    WHERE cached_input_tokens > 0 AND cost IS NOT NULL;

  ALTER TABLE daily ADD COLUMN cache_write_tokens INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE daily ADD COLUMN cache_saving INTEGER NOT NULL DEFAULT 0;

  CREATE TABLE running AS SELECT * FROM exchanges WHERE 0;
  ALTER TABLE running DROP COLUMN number;
  ALTER TABLE running ADD COLUMN writer TEXT;
  ALTER TABLE running ADD COLUMN process INTEGER;
  ALTER TABLE running ADD COLUMN seen_at INTEGER;
  CREATE UNIQUE INDEX running_by_id ON running (id);
  `,
  `
  ALTER TABLE exchanges ADD COLUMN session_id TEXT;
  ALTER TABLE exchanges ADD COLUMN agent_id TEXT;
  ALTER TABLE exchanges ADD COLUMN turn_id TEXT;
  ALTER TABLE exchanges ADD COLUMN cache_miss_reason TEXT;
  ALTER TABLE exchanges ADD COLUMN cache_missed_tokens INTEGER;
  ALTER TABLE exchanges ADD COLUMN cache_miss_cost INTEGER;
  ALTER TABLE running ADD COLUMN session_id TEXT;
  ALTER TABLE running ADD COLUMN agent_id TEXT;
  ALTER TABLE running ADD COLUMN turn_id TEXT;
  ALTER TABLE running ADD COLUMN cache_miss_reason TEXT;
  ALTER TABLE running ADD COLUMN cache_missed_tokens INTEGER;
  ALTER TABLE running ADD COLUMN cache_miss_cost INTEGER;
  CREATE INDEX exchanges_by_session ON exchanges (session_id, at) WHERE session_id IS NOT NULL;

  CREATE TABLE session_key (value BLOB NOT NULL) STRICT;
  INSERT INTO session_key VALUES (randomblob(32));
  `,
  `
  ALTER TABLE exchanges ADD COLUMN estimate_error REAL;
  ALTER TABLE exchanges ADD COLUMN estimate_reports INTEGER;
  ALTER TABLE exchanges ADD COLUMN answered_model TEXT;
  ALTER TABLE running ADD COLUMN estimate_error REAL;
  ALTER TABLE running ADD COLUMN estimate_reports INTEGER;
  ALTER TABLE running ADD COLUMN answered_model TEXT;
  CREATE INDEX exchanges_by_accuracy ON exchanges (model, number) WHERE estimate_reports IS NOT NULL;
  CREATE INDEX exchanges_estimated ON exchanges (local_key_id, at) WHERE usage_is_estimated = 1;
  ALTER TABLE pruned ADD COLUMN estimated INTEGER NOT NULL DEFAULT 0;
  `,
  ['exchanges', 'running']
    .flatMap((table) =>
      [
        'route TEXT',
        'route_rule INTEGER',
        'route_when TEXT',
        'attempts TEXT',
        'attempts_cost INTEGER',
        'attempts_input_tokens INTEGER',
        'attempts_output_tokens INTEGER',
      ].map((column) => `ALTER TABLE ${table} ADD COLUMN ${column};`),
    )
    .join('\n'),
  `
  ALTER TABLE exchanges ADD COLUMN secrets TEXT;
  ALTER TABLE running ADD COLUMN secrets TEXT;
  `,
  `
  ALTER TABLE exchanges ADD COLUMN agent_type TEXT;
  ALTER TABLE exchanges ADD COLUMN upstream_miss_reason TEXT;
  ALTER TABLE running ADD COLUMN agent_type TEXT;
  ALTER TABLE running ADD COLUMN upstream_miss_reason TEXT;
  `,
  `
  ALTER TABLE exchanges ADD COLUMN tool_ms INTEGER;
  ALTER TABLE running ADD COLUMN tool_ms INTEGER;
  `,
  `
  ALTER TABLE exchanges ADD COLUMN step INTEGER;
  ALTER TABLE running ADD COLUMN step INTEGER;
  CREATE INDEX exchanges_of_runs ON exchanges (at) WHERE step IS NOT NULL;
  `,
  ['exchanges', 'running']
    .flatMap((table) =>
      ['reported_cost INTEGER', 'reasoning_price REAL', 'request_price REAL'].map(
        (column) => `ALTER TABLE ${table} ADD COLUMN ${column};`,
      ),
    )
    .join('\n'),
  `
  ALTER TABLE exchanges ADD COLUMN usage_bound TEXT;
  ALTER TABLE exchanges ADD COLUMN unconfirmed_cost INTEGER;
  ALTER TABLE running ADD COLUMN usage_bound TEXT;
  ALTER TABLE running ADD COLUMN unconfirmed_cost INTEGER;
  ALTER TABLE daily ADD COLUMN unconfirmed_cost INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE pruned ADD COLUMN unconfirmed_cost INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX exchanges_unconfirmed ON exchanges (local_key_id, at, unconfirmed_cost)
    WHERE unconfirmed_cost IS NOT NULL;
  `,
  `
  ALTER TABLE exchanges ADD COLUMN repository TEXT;
  ALTER TABLE exchanges ADD COLUMN branch TEXT;
  ALTER TABLE running ADD COLUMN repository TEXT;
  ALTER TABLE running ADD COLUMN branch TEXT;
  CREATE INDEX exchanges_by_branch ON exchanges (repository, branch, at) WHERE repository IS NOT NULL;
  `,
  `
  ALTER TABLE exchanges ADD COLUMN context TEXT;
  ALTER TABLE running ADD COLUMN context TEXT;
  `,
  // Daily sums counted other failures than Traffic. Those whose rows were removed since stay as they are.
  `
  UPDATE daily SET failed = counted.failed FROM (
    SELECT date(at / 1000, 'unixepoch', 'localtime') AS day, source, coalesce(local_key_id, '') AS local_key_id,
      coalesce(client, '') AS client, coalesce(model, '') AS model, coalesce(upstream, '') AS upstream,
      coalesce(conversation_id, '') AS conversation_id, count(*) AS exchanges,
      count(*) FILTER (WHERE ended IN ('upstreamFailed', 'lost') OR ended = 'completed' AND status >= 400) AS failed
    FROM exchanges WHERE number <= (SELECT up_to FROM summarised) GROUP BY 1, 2, 3, 4, 5, 6, 7
  ) AS counted
  WHERE daily.day = counted.day AND daily.source = counted.source AND daily.local_key_id = counted.local_key_id
    AND daily.client = counted.client AND daily.model = counted.model AND daily.upstream = counted.upstream
    AND daily.conversation_id = counted.conversation_id AND daily.exchanges = counted.exchanges;
  `,
  `
  ALTER TABLE exchanges ADD COLUMN output_limit INTEGER;
  ALTER TABLE running ADD COLUMN output_limit INTEGER;
  `,
  `
  ALTER TABLE exchanges ADD COLUMN sealed_secrets INTEGER;
  ALTER TABLE running ADD COLUMN sealed_secrets INTEGER;
  `,
  'CREATE INDEX exchanges_by_context ON exchanges (at) WHERE context IS NOT NULL',
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * Upgrades the file to the current version. If two processes do this at the same time, the second one finds the file
 * upgraded.
 * @throws {LedgerError} `newer`
 */
export function migrate(database: DatabaseSync): void {
  if (schemaVersion(database) === SCHEMA_VERSION) return;
  inTransaction(database, () => {
    const missing = MIGRATIONS.slice(schemaVersion(database));
    for (const migration of missing) database.exec(migration);
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

/**
 * Must be called before anything is written to the file.
 * @throws {LedgerError} if it is the ledger of a later version, or a database of another program.
 */
export function checkOrigin(database: DatabaseSync, path: string): void {
  const { version, isEmpty } = readOrigin(database);
  if (version > SCHEMA_VERSION) {
    throw new LedgerError(
      'newer',
      `The ledger has version ${version}, but this version of Model Access supports only version ${SCHEMA_VERSION}. Update Model Access.`,
    );
  }
  if (version > 0 || (version === 0 && isEmpty)) return;
  throw new LedgerError('failed', `The ledger ${path} cannot be used: it is a database of another program.`);
}

/** Reads both at the same point in time, because another process may be creating the tables. */
function readOrigin(database: DatabaseSync): { readonly version: number; readonly isEmpty: boolean } {
  database.exec('BEGIN');
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  const version = schemaVersion(database);
  database.exec('COMMIT');
  return { version, isEmpty };
}

function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/**
 * Returns the secret for the hashes of session IDs, which was generated when the ledger's file was created or upgraded.
 */
export function readSessionKey(database: DatabaseSync): Uint8Array {
  const value = database.prepare('SELECT value FROM session_key').get()?.value;
  if (!(value instanceof Uint8Array)) throw new Error('it has no key for the hashes of sessions');
  return value;
}

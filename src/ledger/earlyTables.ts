import type { DatabaseSync } from 'node:sqlite';

/** Names of columns before version 4. */
const EARLIER_NAMES: Readonly<Record<string, string>> = { caller_format: 'format_in', upstream_format: 'format_out' };

/** Before version 4, cached tokens without a price cost as much as others, and no row had its saving. */
const PRICES_OF_CACHE = `
  UPDATE exchanges SET cached_input_price = input_price
    WHERE cached_input_tokens > 0 AND cached_input_price IS NULL AND input_price IS NOT NULL;
  UPDATE exchanges SET cache_write_price = input_price WHERE cache_write_tokens > 0 AND input_price IS NOT NULL;
  UPDATE exchanges
    SET cache_saving = CAST(round(cached_input_tokens * (input_price - cached_input_price) * 1000) AS INTEGER)
    WHERE cached_input_tokens > 0 AND cost IS NOT NULL`;

/** Before version 16, daily sums counted other failures than Traffic. Those whose rows were removed stay as they are. */
const FAILURES = `
  UPDATE daily SET failed = counted.failed FROM (
    SELECT date(at / 1000, 'unixepoch', 'localtime') AS day, source, coalesce(local_key_id, '') AS local_key_id,
      coalesce(client, '') AS client, coalesce(model, '') AS model, coalesce(upstream, '') AS upstream,
      coalesce(conversation_id, '') AS conversation_id, count(*) AS exchanges,
      count(*) FILTER (WHERE ended IN ('upstreamFailed', 'lost') OR ended = 'completed' AND status >= 400) AS failed
    FROM exchanges WHERE number <= (SELECT up_to FROM summarised) GROUP BY 1, 2, 3, 4, 5, 6, 7
  ) AS counted
  WHERE daily.day = counted.day AND daily.source = counted.source AND daily.local_key_id = counted.local_key_id
    AND daily.client = counted.client AND daily.model = counted.model AND daily.upstream = counted.upstream
    AND daily.conversation_id = counted.conversation_id AND daily.exchanges = counted.exchanges`;

/**
 * Moves the rows of tables from before the first release to the tables of this one. Columns that they do not have get
 * their defaults. Must be called in a transaction.
 */
export function importEarly(database: DatabaseSync, version: number, schema: string): void {
  const tables = namesOf(database, 'table').filter((name) => !name.startsWith('sqlite_'));
  for (const index of namesOf(database, 'index')) database.exec(`DROP INDEX ${index}`);
  for (const table of tables) database.exec(`ALTER TABLE ${table} RENAME TO early_${table}`);
  database.exec(schema);
  for (const table of tables) {
    const early = columnsOf(database, `early_${table}`);
    const found = columnsOf(database, table).flatMap((to) => {
      const from = [to, EARLIER_NAMES[to] ?? ''].find((name) => early.includes(name));
      return from === undefined ? [] : [{ from, to }];
    });
    database.exec(`
      DELETE FROM ${table};
      INSERT INTO ${table} (${found.map(({ to }) => to).join(', ')})
        SELECT ${found.map(({ from }) => from).join(', ')} FROM early_${table};
      DROP TABLE early_${table}`);
  }
  if (version < 4) database.exec(PRICES_OF_CACHE);
  if (version < 16) database.exec(FAILURES);
}

/** Indexes that belong to a primary key have no statement. */
function namesOf(database: DatabaseSync, type: 'table' | 'index'): string[] {
  const rows = database.prepare('SELECT name FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL').all(type);
  return rows.map(({ name }) => String(name));
}

function columnsOf(database: DatabaseSync, table: string): string[] {
  return database
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => String(name));
}

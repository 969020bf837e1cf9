import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type DatabaseConnection, SCHEMA } from './connection.ts';
import { DatabaseError } from './databaseError.ts';

const TABLES = readFileSync(new URL('./tables.sql', import.meta.url), 'utf8');
const FUNCTIONS = readFileSync(new URL('./functions.sql', import.meta.url), 'utf8');

export const SCHEMA_VERSION = 13;
/** The earliest schema version whose replicas can use this schema. */
const SERVES_FROM = 12;
/** The last version before the first release. It has the same tables, and other names of functions. */
const SAME_TABLES = 11;

/** Finds the rows with contexts without reading the others. Version 12 does not have it. */
const CONTEXT_INDEX = "CREATE INDEX IF NOT EXISTS exchange_by_context ON exchange (at) WHERE details ? 'context';";

/** PostgreSQL 14, in the format of `server_version_num`. */
const MIN_SERVER = 140_000;
const UPGRADE_LOCK = 7_264_000;

/** Triggers use `announce_keys`, which is part of the tables. */
const DROP_FUNCTIONS = `
  DO $$
  DECLARE
    each record;
  BEGIN
    FOR each IN SELECT oid::regprocedure AS name FROM pg_proc
      WHERE pronamespace = '${SCHEMA}'::regnamespace AND proname <> 'announce_keys' LOOP
      EXECUTE format('DROP FUNCTION %s', each.name);
    END LOOP;
  END $$;
`;

/**
 * Creates the schema, or brings it up to the current version. If several replicas do this at the same time, one does it,
 * and the others find it done.
 * @throws {DatabaseError} `unfit` if this release cannot use the database.
 */
export async function migrate(connection: DatabaseConnection): Promise<void> {
  await checkServer(connection);
  await connection.query('BEGIN');
  try {
    // Another replica may be changing the schema of a database that is in use.
    await connection.query('SET LOCAL statement_timeout = 0');
    await connection.queryLong('SELECT pg_advisory_xact_lock($1)', [UPGRADE_LOCK]);
    await bringUp(connection);
    await connection.query('COMMIT');
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function checkServer(connection: DatabaseConnection): Promise<void> {
  const [row] = await connection.query(
    "SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS name",
  );
  if (Number(row?.number) >= MIN_SERVER) return;
  throw new DatabaseError('unfit', `The database is PostgreSQL ${row?.name}; the gateway needs version 14 or later.`);
}

async function bringUp(connection: DatabaseConnection): Promise<void> {
  const { version, servesFrom } = await currentVersion(connection);
  if (servesFrom > SCHEMA_VERSION) {
    throw new DatabaseError(
      'unfit',
      `The database was upgraded by a later release: its schema has version ${version}, and this release supports up to ${SCHEMA_VERSION}. Update the gateway.`,
    );
  }
  if (version >= SCHEMA_VERSION) return;
  if (version !== 0 && version < SAME_TABLES) {
    throw new DatabaseError(
      'unfit',
      `The database has version ${version} of the schema, from before the first release, which this release cannot read. ` +
        `Use another database, or keep the old tables under another name with "ALTER SCHEMA ${SCHEMA} RENAME TO ${SCHEMA}_early".`,
    );
  }
  await connection.queryLong((version === 0 ? TABLES : DROP_FUNCTIONS) + CONTEXT_INDEX + FUNCTIONS);
  await connection.query('SELECT keep_partitions()');
  const values = { schema_version: SCHEMA_VERSION, serves_from: SERVES_FROM };
  for (const [name, value] of Object.entries(values)) {
    await connection.query(
      'INSERT INTO setting VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      [name, String(value)],
    );
  }
}

/** Version 0 is a schema that was created just now. */
async function currentVersion(connection: DatabaseConnection): Promise<{ version: number; servesFrom: number }> {
  await connection.query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
  const tables = await connection.query('SELECT tablename FROM pg_tables WHERE schemaname = $1', [SCHEMA]);
  if (tables.length === 0) {
    await connection.query('CREATE TABLE setting (name text PRIMARY KEY, value text NOT NULL)');
    await connection.query("INSERT INTO setting VALUES ('time_zone', 'UTC'), ('session_key', $1)", [
      randomBytes(32).toString('base64'),
    ]);
    return { version: 0, servesFrom: 0 };
  }
  if (!tables.some(({ tablename }) => tablename === 'setting')) {
    throw new DatabaseError(
      'unfit',
      `The database has a schema "${SCHEMA}" that the gateway did not create. Use another database.`,
    );
  }
  const rows = await connection.query('SELECT name, value FROM setting');
  const settingOf = (name: string) => Number(rows.find((row) => row.name === name)?.value ?? 0);
  return { version: settingOf('schema_version'), servesFrom: settingOf('serves_from') };
}

/** Returns the key for the hashes of session IDs, shared by all replicas. */
export async function readSessionKey(connection: DatabaseConnection): Promise<Uint8Array> {
  const [row] = await connection.query("SELECT value FROM setting WHERE name = 'session_key'");
  return Buffer.from(String(row?.value ?? ''), 'base64');
}

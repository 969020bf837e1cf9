import { randomBytes } from 'node:crypto';
import { ACCOUNTING, RELEASING_IN_ORDER, RESERVING_HALF, RESERVING_MORE } from './accounting.ts';
import { BATCHES, entering } from './batches.ts';
import { type DatabaseConnection, SCHEMA } from './connection.ts';
import { DatabaseError } from './databaseError.ts';
import { PARTITIONS } from './partitions.ts';
import { REFUSALS } from './refusalTable.ts';
import { SESSION_INDEX } from './sessionSpend.ts';
import { FAILED_OUTCOME, SUMMING_FAILED, UNPRICED_ATTEMPTS } from './summing.ts';
import { TABLES } from './tables.ts';
import { TURNS } from './turns/turnTables.ts';
import { UPPER_BOUNDS } from './upperBounds.ts';

/**
 * Each migration upgrades the database by one version. Users have databases of all these versions, so append migrations
 * and never change a released one. Replicas of the previous release can still be running, so a migration must keep
 * everything that they use. If it cannot, {@link SERVES_FROM} names the replicas that can no longer run.
 */
export const MIGRATIONS: readonly string[] = [
  TABLES + ACCOUNTING,
  RESERVING_MORE,
  SESSION_INDEX,
  UNPRICED_ATTEMPTS + RELEASING_IN_ORDER,
  TURNS,
  PARTITIONS,
  BATCHES,
  UPPER_BOUNDS,
  REFUSALS,
  RESERVING_HALF,
  SUMMING_FAILED + entering('CREATE OR REPLACE FUNCTION', FAILED_OUTCOME),
];

/** The earliest schema version whose replicas can use this schema. */
const SERVES_FROM = 1;

/** PostgreSQL 14, in the format of `server_version_num`. */
const MIN_SERVER = 140_000;
const MIGRATION_LOCK = 7_264_000;

/**
 * Upgrades the database to the current version. If several replicas do this at the same time, one upgrades it, and the
 * others find it upgraded.
 * @param migrations those of this release; fewer for an earlier one.
 * @throws {DatabaseError} `unfit` if this release cannot use the database.
 */
export async function migrate(connection: DatabaseConnection, migrations = MIGRATIONS): Promise<void> {
  await checkServer(connection);
  await connection.query('BEGIN');
  try {
    // A large ledger takes longer than any other statement, also while another replica upgrades it.
    await connection.query('SET LOCAL statement_timeout = 0');
    await connection.queryLong('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await bringUp(connection, migrations);
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

async function bringUp(connection: DatabaseConnection, migrations: readonly string[]): Promise<void> {
  const latest = migrations.length;
  const { version, servesFrom } = await currentVersion(connection);
  if (servesFrom > latest) {
    throw new DatabaseError(
      'unfit',
      `The database was upgraded by a later release: its schema has version ${version}, and this release supports up to ${latest}. Update the gateway.`,
    );
  }
  if (version >= latest) return;
  for (const migration of migrations.slice(version)) await connection.queryLong(migration);
  const values = { schema_version: latest, serves_from: SERVES_FROM };
  for (const [name, value] of Object.entries(values)) {
    await connection.query(
      'INSERT INTO setting VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      [name, String(value)],
    );
  }
}

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

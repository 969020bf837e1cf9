import { chown, cp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** A running server to copy. */
export interface Primary {
  /** Includes the user's name and the password. */
  readonly address: string;
  readonly databaseDir: string;
}

/**
 * Copies the files of a running server to a folder from which a standby can start, as `pg_basebackup` does, which is not
 * in the package of the binaries.
 */
export async function copyForStandby({ address, databaseDir }: Primary, target: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${address}/postgres` });
  await client.connect();
  await client.query("SELECT pg_backup_start('standby', true)");
  await cp(databaseDir, target, { recursive: true, filter: (path) => !path.endsWith('postmaster.pid') });
  const { rows } = await client.query<{ labelfile: string }>(
    'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
  );
  await client.end();
  const { username, password, hostname, port } = new URL(address);
  const connection = `host=${hostname} port=${port} user=${username} password=${password} application_name=standby`;
  await writeFile(join(target, 'backup_label'), rows[0]?.labelfile ?? '');
  await writeFile(join(target, 'postgresql.auto.conf'), `primary_conninfo = '${connection}'\n`);
  await writeFile(join(target, 'standby.signal'), '');
  await rm(join(target, 'postmaster.opts'), { force: true });
  await giveTo(target, await stat(databaseDir));
}

/** As root, the copied files belong to root, and the server runs as another user. */
async function giveTo(folder: string, { uid, gid }: { readonly uid: number; readonly gid: number }): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const names = await readdir(folder, { recursive: true });
  await Promise.all([folder, ...names.map((name) => join(folder, name))].map((path) => chown(path, uid, gid)));
}

/** From now on, a commit waits until the standby has it. */
export async function waitForStandby(address: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${address}/postgres` });
  await client.connect();
  await client.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
  await client.query('SELECT pg_reload_conf()');
  const isSynchronous = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
  while ((await client.query(isSynchronous)).rowCount === 0) await client.query('SELECT pg_sleep(0.05)');
  await client.end();
}

/** Ends the recovery of a standby, so that it accepts changes. */
export async function promote(address: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${address}/postgres` });
  await client.connect();
  await client.query('SELECT pg_promote()');
  await client.end();
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const SERVER_PROCESS = fileURLToPath(new URL('serverProcess.ts', import.meta.url));

/** Data of tests need not survive a failure of the machine, and nothing runs that no test has asked for. */
const FAST = ['fsync=off', 'full_page_writes=off', 'autovacuum=off', 'shared_buffers=32MB', 'max_connections=100'];
/** Lets tests see which statements were planned. */
const STATISTICS = [
  'shared_preload_libraries=pg_stat_statements',
  ...['track=all', 'track_planning=on', 'save=off'].map((setting) => `pg_stat_statements.${setting}`),
];

/** A real PostgreSQL server on a loopback port. It ends with this process at the latest. */
export class PostgresServer {
  readonly #child: ChildProcess;
  readonly #lines: Interface;
  /** Includes the user's name and the password, but no database. */
  readonly address: string;
  /** ID of the server's first process; its connections are children of it. */
  readonly pid: number;
  #databases = 0;
  #isKilled = false;
  /** Addresses of databases that nothing uses anymore. */
  readonly #returned: string[] = [];
  /** Those with the gateway's current schema. */
  readonly #withSchema: string[] = [];

  private constructor(child: ChildProcess, lines: Interface, [address = '', pid]: readonly string[]) {
    this.#child = child;
    this.#lines = lines;
    this.address = address;
    this.pid = Number(pid);
  }

  static async start(settings: readonly string[] = [...FAST, ...STATISTICS]): Promise<PostgresServer> {
    const child = spawn(process.execPath, [SERVER_PROCESS, ...settings], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface(child.stdout);
    const [line] = (await Promise.race([once(lines, 'line'), failureOf(child)])) as [string];
    return new PostgresServer(child, lines, line.split(' '));
  }

  /**
   * Creates a new, empty database.
   * @returns its address.
   */
  async createDatabase(): Promise<string> {
    this.#databases += 1;
    const name = `test_${this.#databases}`;
    await query(`${this.address}/postgres`, `CREATE DATABASE ${name}`);
    return `${this.address}/${name}`;
  }

  /** Returns the address of an empty database. One that was returned is emptied, which takes a fifth of the time. */
  borrowDatabase(): Promise<string> {
    return borrow(this.#returned, empty, () => this.createDatabase());
  }

  returnDatabase(address: string): void {
    this.#returned.push(address);
  }

  /**
   * Returns the address of a database without data, which has the gateway's schema if it was borrowed before. Its user
   * upgrades it, and changes nothing else of the schema. Removing the rows takes a third of the time of a new schema.
   */
  borrowForGateway(): Promise<string> {
    return borrow(this.#withSchema, removeRows, () => this.borrowDatabase());
  }

  returnWithSchema(address: string): void {
    this.#withSchema.push(address);
  }

  /** Ends the server like a crash: connections are lost, and committed data are kept. */
  async kill(): Promise<void> {
    await this.#command('kill');
    this.#isKilled = true;
  }

  /**
   * Starts a standby, for which every commit waits from now on.
   * @returns its address, without a database.
   */
  async startStandby(): Promise<string> {
    return this.#command('standby');
  }

  /** Makes the standby a server that accepts changes. */
  async promote(): Promise<void> {
    await this.#command('promote');
  }

  /** Starts the server again on the same port, if it was killed. */
  async restart(): Promise<void> {
    if (!this.#isKilled) return;
    await this.#command('start');
    this.#isKilled = false;
  }

  async stop(): Promise<void> {
    this.#child.stdin?.end();
    if (this.#child.exitCode === null) await once(this.#child, 'close');
  }

  /** Lets this process exit while the server runs. */
  unref(): void {
    this.#child.unref();
    for (const stream of [this.#child.stdin, this.#child.stdout]) {
      if (stream !== null && 'unref' in stream) (stream as unknown as { unref(): void }).unref();
    }
  }

  async #command(command: string): Promise<string> {
    const answered = Promise.race([once(this.#lines, 'line'), failureOf(this.#child)]);
    this.#child.stdin?.write(`${command}\n`);
    const [line] = (await answered) as [string];
    return line;
  }
}

/** Takes a returned database and cleans it, or creates one. */
async function borrow(
  returned: string[],
  clean: (address: string) => Promise<void>,
  create: () => Promise<string>,
): Promise<string> {
  const address = returned.pop();
  if (address === undefined) return create();
  await clean(address);
  return address;
}

async function failureOf(child: ChildProcess): Promise<never> {
  await once(child, 'exit');
  throw new Error('PostgreSQL could not be started. The output of its process says why.');
}

let shared: Promise<PostgresServer> | undefined;

/**
 * Creates a new, empty database on the server that all tests of this process share.
 * @returns its address.
 */
export async function freshDatabase(): Promise<string> {
  return (await sharedServer()).createDatabase();
}

/** Returns the server that all tests of this process share. */
export function sharedServer(): Promise<PostgresServer> {
  shared ??= startShared();
  return shared;
}

async function startShared(): Promise<PostgresServer> {
  const server = await PostgresServer.start();
  server.unref();
  return server;
}

const DISCONNECT_OTHERS = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;

/** Brings a database with the gateway's schema back to the state after the creation of the schema. */
async function removeRows(address: string): Promise<void> {
  await query(
    address,
    `${DISCONNECT_OTHERS};
     DO $$
     BEGIN
       EXECUTE (
         SELECT 'TRUNCATE ' || string_agg(format('model_access.%I', tablename), ', ') || ' RESTART IDENTITY'
         FROM pg_tables WHERE schemaname = 'model_access' AND tablename <> 'setting'
       );
     END $$;
     DELETE FROM model_access.setting
       WHERE name NOT IN ('time_zone', 'session_key', 'schema_version', 'serves_from');
     UPDATE model_access.setting SET value = 'UTC' WHERE name = 'time_zone'`,
  );
}

/** Brings a database back to the state after its creation, whatever it contains. */
async function empty(address: string): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  await client.query('SET default_transaction_read_only = off');
  await client.query(
    `ALTER DATABASE ${new URL(address).pathname.slice(1)} RESET ALL;
     ${DISCONNECT_OTHERS};
     DROP SCHEMA IF EXISTS model_access CASCADE;
     DROP SCHEMA public CASCADE;
     CREATE SCHEMA public;
     GRANT USAGE ON SCHEMA public TO PUBLIC`,
  );
  await client.end();
}

/** Returns the rows of one statement on a connection of its own. */
export async function query(address: string, text: string, values: readonly unknown[] = []) {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    const { rows } = await client.query(text, [...values]);
    return rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** A database, a service that bills, and gateways in front of it, each in a process of its own. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyAdmin } from '../../packages/gateway/src/postgres/admin/keyAdmin.ts';
import { DatabaseConnection, type DatabaseRow } from '../../packages/gateway/src/postgres/connection.ts';
import { migrate } from '../../packages/gateway/src/postgres/schema.ts';
import type { Budget } from '../../src/gateway/keys/issuedKey.ts';
import { PostgresServer } from '../../test/support/postgres/postgresServer.ts';
import { type Program, start, type Target } from '../processes.ts';
import { COST } from './prices.ts';

const NODE_OPTIONS = ['--max-semi-space-size=4', '--min-semi-space-size=4', '--initial-heap-size=128'];

export class BenchSetting {
  readonly server: PostgresServer;
  readonly service: Target;
  #folder = '';

  private constructor(server: PostgresServer, service: Target) {
    this.server = server;
    this.service = service;
  }

  static async open(): Promise<BenchSetting> {
    const server = await PostgresServer.start(['shared_buffers=128MB']);
    const service = await start({ name: 'service', command: ['bench/billingService.ts'] });
    const setting = new BenchSetting(server, service);
    setting.#folder = await mkdtemp(join(tmpdir(), 'bench-team-'));
    return setting;
  }

  /** @param through returns the address at which the gateways reach the database. */
  async database(through = (address: string) => address): Promise<BenchDatabase> {
    const address = through(await this.server.createDatabase());
    const connection = new DatabaseConnection({ address, name: 'bench' });
    await migrate(connection);
    return new BenchDatabase(address, connection);
  }

  startReplica({ address }: BenchDatabase): Promise<Target> {
    return this.#start('PostgreSQL', ['--database', address, '--spool', join(this.#folder, 'spool')]);
  }

  /** Starts a gateway with its own ledger, and a key with a budget. */
  startLocal(key: string, config: string): Promise<Target> {
    const ledger = join(this.#folder, `ledger-${Date.now()}.sqlite`);
    return this.#start('SQLite', ['--ledger', ledger, '--config', config], { BENCH_KEY: key });
  }

  get folder(): string {
    return this.#folder;
  }

  /** Returns the amount that the service has charged, in billionths of a US dollar. */
  async bill(): Promise<number> {
    const response = await fetch(`${this.service.address}/bill`);
    return Number(await response.text()) * COST;
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.server.stop();
  }

  #start(name: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Target> {
    const upstream = ['--upstream', `hosted:${this.service.address}`];
    const command = [...NODE_OPTIONS, 'scripts/gateway.cjs', '--port', '0', ...upstream, ...args];
    const program: Program = { name, command, environment: { MODEL_ACCESS_KEY: 'key_of-the-service', ...environment } };
    return start(program);
  }
}

export class BenchDatabase {
  readonly address: string;
  readonly #connection: DatabaseConnection;

  constructor(address: string, connection: DatabaseConnection) {
    this.address = address;
    this.#connection = connection;
  }

  /**
   * Creates a key with a budget in dollars.
   * @returns its secret.
   */
  async key(name: string, dollars: number): Promise<string> {
    const budgets: Budget[] = [{ amount: dollars, unit: 'usd', period: 'total' }];
    return (await new KeyAdmin(this.#connection).create(name, { budgets })).key;
  }

  async unlimitedKey(name: string): Promise<string> {
    return (await new KeyAdmin(this.#connection).create(name, {})).key;
  }

  revoke(name: string): Promise<void> {
    return new KeyAdmin(this.#connection).revoke(name);
  }

  rows(text: string, values: readonly unknown[] = []): Promise<DatabaseRow[]> {
    return this.#connection.query(text, values);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}

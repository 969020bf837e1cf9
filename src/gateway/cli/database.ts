/** The options that put the keys, budgets, and ledger of the gateway into a database. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Arguments } from './arguments.ts';
import { UsageError } from './usageError.ts';

export interface DatabaseSettings {
  readonly address: string;
  readonly spool: string;
  readonly allowsWhenAway: boolean;
}

/** @returns `undefined` without a database. @throws {UsageError} */
export function readDatabaseSettings(values: Arguments, environment: NodeJS.ProcessEnv): DatabaseSettings | undefined {
  const address = readDatabaseAddress(values.database, environment);
  const { spool, ledger, 'when-database-is-away': whenAway = 'refuse' } = values;
  if (whenAway !== 'allow' && whenAway !== 'refuse') {
    throw new UsageError('--when-database-is-away is allow or refuse.');
  }
  if (address === undefined) {
    if (spool !== undefined) throw new UsageError('--spool needs --database.');
    return undefined;
  }
  if (ledger !== undefined) throw new UsageError('Give either --ledger or --database: the database has the ledger.');
  return { address, spool: spool ?? defaultSpool(environment), allowsWhenAway: whenAway === 'allow' };
}

/** @throws {UsageError} */
export function readDatabaseAddress(given: string | undefined, environment: NodeJS.ProcessEnv): string | undefined {
  const address = given ?? environment.DATABASE_URL;
  if (address === undefined || address === '') return undefined;
  const url = URL.parse(address);
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    throw new UsageError('The database is an address such as postgres://user:password@host/database.');
  }
  return address;
}

function defaultSpool(environment: NodeJS.ProcessEnv): string {
  const state = environment.XDG_STATE_HOME || join(homedir(), '.local', 'state');
  return join(state, 'model-access-gateway', 'spool');
}

/** The options that store the keys, budgets, and ledger of the gateway in a database. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Arguments, UsageError } from './arguments.ts';
import { readSecretOption } from './secretOptions.ts';

/** A short key could be guessed, and with it anyone could create keys. */
const MIN_ADMIN_KEY_LENGTH = 20;

export interface DatabaseSettings {
  readonly address: string;
  readonly spool: string;
  readonly allowsWhenAway: boolean;
  /** The key for administration over HTTP. If undefined, there is no such administration. */
  readonly adminKey?: string;
  /** Messages for the user who started the gateway. */
  readonly warnings: readonly string[];
}

/**
 * @returns `undefined` if there is no database.
 * @throws {UsageError}
 */
export function readDatabaseSettings(values: Arguments, environment: NodeJS.ProcessEnv): DatabaseSettings | undefined {
  const address = readDatabaseAddress(values.database, environment);
  const { spool, ledger, 'when-database-is-away': whenAway = 'refuse' } = values;
  if (whenAway !== 'allow' && whenAway !== 'refuse') {
    throw new UsageError('--when-database-is-away must be allow or refuse.');
  }
  const admin = readSecretOption(
    { name: '--admin-key', file: values['admin-key-file'], env: values['admin-key-env'] },
    environment,
  );
  const adminKey = admin.secret ?? environment.MODEL_ACCESS_ADMIN_KEY;
  if (address === undefined) {
    if (spool !== undefined) throw new UsageError('--spool requires --database.');
    return undefined;
  }
  if (ledger !== undefined)
    throw new UsageError('Use either --ledger or --database: the database contains the ledger.');
  if (adminKey !== undefined && adminKey.length < MIN_ADMIN_KEY_LENGTH) {
    throw new UsageError(`The admin key must have at least ${MIN_ADMIN_KEY_LENGTH} characters.`);
  }
  return {
    address,
    spool: spool ?? defaultSpool(environment),
    allowsWhenAway: whenAway === 'allow',
    ...(adminKey !== undefined && { adminKey }),
    warnings: [...passwordWarnings(values.database), ...admin.warnings],
  };
}

/** @param given The address of `--database`, if it was given on the command line. */
function passwordWarnings(given: string | undefined): string[] {
  if (given === undefined || !URL.parse(given)?.password) return [];
  return ['Other users of this machine can read the password of --database in the process list. Use DATABASE_URL.'];
}

/** @throws {UsageError} */
export function readDatabaseAddress(given: string | undefined, environment: NodeJS.ProcessEnv): string | undefined {
  const address = given ?? environment.DATABASE_URL;
  if (address === undefined || address === '') return undefined;
  const url = URL.parse(address);
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    throw new UsageError('The database address must have the form postgres://user:password@host/database.');
  }
  return address;
}

function defaultSpool(environment: NodeJS.ProcessEnv): string {
  const state = environment.XDG_STATE_HOME || join(homedir(), '.local', 'state');
  return join(state, 'model-access-gateway', 'spool');
}

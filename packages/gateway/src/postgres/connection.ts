import pg from 'pg';
import { errorText } from '../../../../src/display/errors.ts';
import { isRecord } from '../../../../src/formats/json.ts';
import { DatabaseError, databaseError } from './databaseError.ts';

/** The PostgreSQL schema of all the gateway's tables, so that it can share a database with other applications. */
export const SCHEMA = 'model_access';

const CONNECT_MS = 3_000;
/** Statements of the gateway never take this long on a healthy server. */
const STATEMENT_MS = 30_000;
/** A migration that takes longer is waiting for something else than many rows. */
const LONG_STATEMENT_MS = 24 * 60 * 60 * 1000;
/** After a failure to connect, requests fail immediately for this time, without a new attempt. */
const PAUSE_MS = 250;
const INT8 = 20;

export type DatabaseRow = Readonly<Record<string, unknown>>;

/** A statement that is sent often. The server parses and plans it once for each connection. */
export interface PreparedStatement {
  /** Unique among the statements of a connection. */
  readonly name: string;
  readonly text: string;
}

/** Amounts of money and tokens are integers that a double represents exactly. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid as 16, format as 'text'),
};

export interface ConnectionOptions {
  /** Such as `postgres://user:password@host/database`. */
  readonly address: string;
  /** Part of the application name, which the server shows in its list of connections. */
  readonly name: string;
  /** Called with each new connection, before other statements are sent. */
  readonly onConnect?: (client: pg.Client) => Promise<void>;
  /** Called when an open connection is lost. */
  readonly onLost?: () => void;
}

/** A single database connection, opened when it is needed and reopened after it was lost. */
export class DatabaseConnection {
  readonly #options: ConnectionOptions;
  #client: Promise<pg.Client> | undefined;
  #opened: pg.Client | undefined;
  #failure: { readonly error: DatabaseError; readonly until: number } | undefined;
  /** Settles when the last statement has ended, with or without an error. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /**
   * Runs statements one after the other, in the order of the calls.
   * @throws {DatabaseError}
   */
  query(statement: string | PreparedStatement, values: readonly unknown[] = []): Promise<DatabaseRow[]> {
    return this.#enqueue(statement, values, STATEMENT_MS);
  }

  /**
   * As {@link query}, for a statement that can take longer than others. The connection's own limit has to be lifted
   * before.
   * @throws {DatabaseError}
   */
  queryLong(text: string, values: readonly unknown[] = []): Promise<DatabaseRow[]> {
    return this.#enqueue(text, values, LONG_STATEMENT_MS);
  }

  /**
   * As {@link query}, but if the connection breaks, sends the statement again. Repeating it must have no effect.
   * @throws {DatabaseError}
   */
  async queryAgain(statement: string | PreparedStatement, values: readonly unknown[]): Promise<DatabaseRow[]> {
    try {
      return await this.query(statement, values);
    } catch (error) {
      if (databaseError(error).problem !== 'away') throw error;
      return this.query(statement, values);
    }
  }

  #enqueue(
    statement: string | PreparedStatement,
    values: readonly unknown[],
    timeoutMs: number,
  ): Promise<DatabaseRow[]> {
    const answered = this.#last.then(() => this.#query(statement, values, timeoutMs));
    this.#last = answered.catch(() => undefined);
    return answered;
  }

  async #query(
    statement: string | PreparedStatement,
    values: readonly unknown[],
    timeoutMs: number,
  ): Promise<DatabaseRow[]> {
    const client = await this.open();
    try {
      // The types of the driver do not have its limit for a single statement.
      const query: pg.QueryConfig & { readonly query_timeout: number } = {
        ...(typeof statement === 'string' ? { text: statement } : statement),
        values: [...values],
        query_timeout: timeoutMs,
      };
      const { rows } = await client.query<DatabaseRow>(query);
      return rows;
    } catch (error) {
      // The error comes before the end of the connection, and the next statement must not be sent on it.
      if (breaksConnection(error)) this.#drop(client);
      throw databaseError(error);
    }
  }

  /**
   * Connects if there is no connection.
   * @throws {DatabaseError}
   */
  async open(): Promise<pg.Client> {
    if (this.#isClosed) throw new DatabaseError('away', 'The connection to the database was closed.');
    if (this.#failure !== undefined && performance.now() < this.#failure.until) throw this.#failure.error;
    this.#client ??= this.#connect();
    return this.#client;
  }

  async close(): Promise<void> {
    await this.#last;
    this.#isClosed = true;
    const client = this.#client;
    this.#client = undefined;
    this.#opened = undefined;
    await client?.then(
      (open) => open.end(),
      () => undefined,
    );
  }

  async #connect(): Promise<pg.Client> {
    const { address, name, onConnect } = this.#options;
    let client: pg.Client | undefined;
    try {
      const opening = new pg.Client({
        connectionString: address,
        application_name: `model-access ${name}`,
        connectionTimeoutMillis: CONNECT_MS,
        query_timeout: STATEMENT_MS,
        keepAlive: true,
        types,
      });
      // Without a listener, an error of an idle connection would end the process. `end` follows such an error.
      client = opening;
      client.on('error', () => undefined).once('end', () => this.#drop(opening));
      await client.connect();
      await client.query(`SET search_path = ${SCHEMA}; SET statement_timeout = ${STATEMENT_MS}`);
      await onConnect?.(client);
      this.#failure = undefined;
      this.#opened = client;
      return client;
    } catch (error) {
      this.#client = undefined;
      client?.end().catch(() => undefined);
      const failure = unreachable(error);
      this.#failure = { error: failure, until: performance.now() + PAUSE_MS };
      throw failure;
    }
  }

  #drop(client: pg.Client): void {
    if (this.#opened !== client) return;
    this.#opened = undefined;
    this.#client = undefined;
    client.end().catch(() => undefined);
    if (!this.#isClosed) this.#options.onLost?.();
  }
}

/** For a host with several addresses, Node.js throws an aggregate error without a message. */
function unreachable(error: unknown): DatabaseError {
  if (error instanceof AggregateError) {
    const [first] = error.errors as unknown[];
    return new DatabaseError('away', `The database cannot be reached: ${errorText(first)}.`, { cause: error });
  }
  return databaseError(error);
}

/** Errors without a code of PostgreSQL come from the connection. Class 57P: the server ends it. */
function breaksConnection(error: unknown): boolean {
  const code = isRecord(error) && typeof error.code === 'string' ? error.code : '';
  // Those of PostgreSQL have digits, unlike EPIPE.
  return !/^(?=.*\d)[0-9A-Z]{5}$/.test(code) || code.startsWith('57P');
}

import pg from 'pg';
import { errorText } from '../../display/errorText.ts';
import { DatabaseError, databaseError } from './databaseError.ts';

/** The schema of the database that everything of the gateway is in, so that it can share a database with others. */
export const SCHEMA = 'model_access';

const CONNECT_MS = 3_000;
/** No statement of the gateway takes so long on a healthy server. */
const STATEMENT_MS = 30_000;
/** After a failure nobody tries again for so long: callers are told at once. */
const PAUSE_MS = 250;
const INT8 = 20;

export type Row = Readonly<Record<string, unknown>>;

/** Money and tokens are whole numbers that doubles hold exactly. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid as 16, format as 'text'),
};

export interface ConnectionOptions {
  /** As in `postgres://user:password@host/database`. */
  readonly address: string;
  /** What the server's list of connections shows. */
  readonly name: string;
  /** Called with each new connection, before any other statement. */
  readonly onConnect?: (client: pg.Client) => Promise<void>;
  /** Called when an open connection is lost. */
  readonly onLost?: () => void;
}

/** One connection to the database that is opened when it is needed, and again after it was lost. */
export class Connection {
  readonly #options: ConnectionOptions;
  #client: Promise<pg.Client> | undefined;
  #failure: { readonly error: DatabaseError; readonly until: number } | undefined;
  /** The end of the last statement, however it ended. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Statements run one after the other, in the order in which they come. @throws {DatabaseError} */
  query(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const answered = this.#last.then(() => this.#query(text, values));
    this.#last = answered.catch(() => undefined);
    return answered;
  }

  async #query(text: string, values: readonly unknown[]): Promise<Row[]> {
    const client = await this.open();
    try {
      const { rows } = await client.query<Row>(text, [...values]);
      return rows;
    } catch (error) {
      throw databaseError(error);
    }
  }

  /** Connects, if it is not connected yet. @throws {DatabaseError} */
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
    await client?.then(
      (open) => open.end(),
      () => undefined,
    );
  }

  async #connect(): Promise<pg.Client> {
    const { address, name, onConnect } = this.#options;
    let client: pg.Client | undefined;
    try {
      client = new pg.Client({
        connectionString: address,
        application_name: `model-access ${name}`,
        connectionTimeoutMillis: CONNECT_MS,
        query_timeout: STATEMENT_MS,
        keepAlive: true,
        types,
      });
      // Without a listener an error of an idle connection would end the process; `end` tells of it, too.
      client.on('error', () => undefined).once('end', () => this.#lost());
      await client.connect();
      await client.query(`SET search_path = ${SCHEMA}; SET statement_timeout = ${STATEMENT_MS}`);
      await onConnect?.(client);
      this.#failure = undefined;
      return client;
    } catch (error) {
      this.#client = undefined;
      client?.end().catch(() => undefined);
      const failure = unreachable(error);
      this.#failure = { error: failure, until: performance.now() + PAUSE_MS };
      throw failure;
    }
  }

  #lost(): void {
    const wasOpen = this.#client !== undefined;
    this.#client = undefined;
    if (wasOpen && !this.#isClosed) this.#options.onLost?.();
  }
}

/** Node.js tells of several addresses of one host in an error without words. */
function unreachable(error: unknown): DatabaseError {
  if (error instanceof AggregateError) {
    const [first] = error.errors as unknown[];
    return new DatabaseError('away', `The database cannot be reached: ${errorText(first)}.`, { cause: error });
  }
  return databaseError(error);
}

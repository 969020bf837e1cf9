import type { Connection } from './connection.ts';
import { databaseError } from './databaseError.ts';

/** How often a replica renews its lease and looks for dead replicas. */
const RENEWAL_MS = 3_000;
/** A replica that has not renewed its lease for this long, by the database's clock, is dead. */
const LEASE = '15 seconds';

/** A reservation of this age without a running exchange is left over from a statement whose result was lost. */
const FORGOTTEN = '1 minute';

export interface LeaseOptions {
  readonly connection: Connection;
  readonly replica: string;
  /** Whether an exchange has ended and is in the database. */
  readonly isOver: (exchangeId: string) => boolean;
  readonly onProblem: (message: string) => void;
}

/** Keeps the reservations of this replica alive, and settles those of dead replicas. */
export class Lease {
  readonly #connection: Connection;
  readonly #options: LeaseOptions;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #isAway = false;

  constructor(options: LeaseOptions) {
    this.#connection = options.connection;
    this.#options = options;
  }

  /** Whether the database did not answer the last time. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** @throws {DatabaseError} */
  async begin(): Promise<void> {
    await this.#renew();
    this.#later();
  }

  /** Stops renewing the lease. */
  stop(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /**
   * Releases the remaining reservations and removes the replica. If the database is away, the lease expires instead.
   */
  async end(): Promise<void> {
    this.stop();
    await this.#try(() => this.#connection.query('SELECT release_replica_1($1)', [this.#options.replica]));
  }

  #later(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#work(), RENEWAL_MS).unref();
  }

  async #work(): Promise<void> {
    await this.#try(async () => {
      await this.#renew();
      await this.#connection.query('SELECT settle_lost_1($1::interval)', [LEASE]);
      await this.#releaseForgotten();
    });
    this.#later();
  }

  async #releaseForgotten(): Promise<void> {
    const { replica, isOver } = this.#options;
    const rows = await this.#connection.query(
      'SELECT id FROM reservation WHERE replica = $1 AND at < clock_timestamp() - $2::interval',
      [replica, FORGOTTEN],
    );
    const forgotten = rows.map(({ id }) => String(id)).filter(isOver);
    if (forgotten.length > 0) await this.#connection.query('SELECT release_1($1)', [forgotten]);
  }

  async #renew(): Promise<void> {
    await this.#connection.query(
      `INSERT INTO replica (id, seen_at) VALUES ($1, clock_timestamp())
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
      [this.#options.replica],
    );
  }

  /** Does not report that the database is away, because the row writer reports it. */
  async #try(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      this.#isAway = false;
    } catch (error) {
      const { problem, message } = databaseError(error);
      this.#isAway = problem === 'away';
      if (problem !== 'away') this.#options.onProblem(message);
    }
  }
}

import type { DatabaseConnection } from './connection.ts';
import { databaseError } from './databaseError.ts';

/** How often a replica renews its lease and looks for dead replicas. */
const RENEWAL_MS = 3_000;
/** A replica that has not renewed its lease for this long, by the database's clock, is dead. */
const LEASE_MS = 15_000;
export const LEASE = intervalOf(LEASE_MS);

/** A reservation of this age without a running exchange is left over from a statement whose result was lost. */
const FORGOTTEN = '1 minute';

export interface LeaseOptions {
  readonly connection: DatabaseConnection;
  readonly replica: string;
  /** Whether an exchange has ended and is in the database. */
  readonly isOver: (exchangeId: string) => boolean;
  /** Called after each renewal. */
  readonly onRenewed: () => Promise<void>;
  readonly onProblem: (message: string) => void;
  /** How long a replica counts as alive after it has renewed its lease. */
  readonly leaseMs?: number;
  /** Monotonic time in milliseconds. */
  readonly now?: () => number;
}

/** Keeps the reservations of this replica alive, and settles those of dead replicas. */
export class Lease {
  readonly #connection: DatabaseConnection;
  readonly #options: LeaseOptions;
  readonly #leaseMs: number;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #isAway = false;
  #renewedAt = Number.NEGATIVE_INFINITY;
  /** Since when this replica has renewed its lease without a gap in which it would have expired. */
  #steadySince = Number.POSITIVE_INFINITY;

  constructor(options: LeaseOptions) {
    this.#connection = options.connection;
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
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

  stop(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /**
   * Releases the remaining reservations and removes the replica. If the database is away, the lease expires instead.
   */
  async end(): Promise<void> {
    this.stop();
    await this.#try(() => this.#connection.query('SELECT release_replica($1)', [this.#options.replica]));
  }

  #later(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.renew().then(() => this.#later()), RENEWAL_MS).unref();
  }

  /** Renews the lease and does what is due, as at regular intervals after {@link begin}. */
  async renew(): Promise<void> {
    await this.#try(async () => {
      await this.#renew();
      if (this.#isSteady) await this.#connection.query('SELECT settle_lost($1::interval)', [intervalOf(this.#leaseMs)]);
      await this.#releaseForgotten();
      await this.#options.onRenewed();
    });
  }

  async #releaseForgotten(): Promise<void> {
    const { replica, isOver } = this.#options;
    const rows = await this.#connection.query(
      'SELECT id FROM reservation WHERE replica = $1 AND at < clock_timestamp() - $2::interval',
      [replica, FORGOTTEN],
    );
    const forgotten = rows.map(({ id }) => String(id)).filter(isOver);
    if (forgotten.length > 0) await this.#connection.query('SELECT release($1)', [forgotten]);
  }

  async #renew(): Promise<void> {
    await this.#connection.query(
      `INSERT INTO replica (id, seen_at) VALUES ($1, clock_timestamp())
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
      [this.#options.replica],
    );
    const now = this.#now();
    if (now - this.#renewedAt > this.#leaseMs) this.#steadySince = now;
    this.#renewedAt = now;
  }

  /**
   * Whether the database was available for a whole lease. If it was away, or a standby has replaced it, the leases of
   * all replicas have expired, and each gets the time to renew its own before another settles its requests.
   */
  get #isSteady(): boolean {
    return this.#now() - this.#steadySince >= this.#leaseMs;
  }

  #now(): number {
    return this.#options.now?.() ?? performance.now();
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

/** Returns a duration as the database writes it. */
function intervalOf(milliseconds: number): string {
  return `${milliseconds} milliseconds`;
}

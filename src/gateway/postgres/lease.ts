import type { Connection } from './connection.ts';
import { databaseError } from './databaseError.ts';

/** How often a replica says that it lives, and looks for those that do not. */
const RENEWAL_MS = 3_000;
/** A replica that has said nothing for so long, by the clock of the database, is dead. */
const LEASE = '15 seconds';

/** Keeps the reservations of this replica alive, and settles those of replicas that died. */
export class Lease {
  readonly #connection: Connection;
  readonly #replica: string;
  readonly #onProblem: (message: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(connection: Connection, replica: string, onProblem: (message: string) => void) {
    this.#connection = connection;
    this.#replica = replica;
    this.#onProblem = onProblem;
  }

  /** @throws {DatabaseError} */
  async begin(): Promise<void> {
    await this.#renew();
    this.#later();
  }

  /** Gives back what is still set aside, and leaves. Does what it can where the database is away. */
  async end(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#try(() => this.#connection.query('SELECT release_replica_1($1)', [this.#replica]));
  }

  #later(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#work(), RENEWAL_MS).unref();
  }

  async #work(): Promise<void> {
    await this.#try(async () => {
      await this.#renew();
      await this.#connection.query('SELECT settle_lost_1($1::interval)', [LEASE]);
    });
    this.#later();
  }

  async #renew(): Promise<void> {
    await this.#connection.query(
      `INSERT INTO replica (id, seen_at) VALUES ($1, clock_timestamp())
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
      [this.#replica],
    );
  }

  /** That the database is away is told by those who have something to write. */
  async #try(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const { problem, message } = databaseError(error);
      if (problem !== 'away') this.#onProblem(message);
    }
  }
}

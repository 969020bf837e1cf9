import * as z from 'zod/mini';
import { idOf, type KnownRefusal, type RefusalList } from '../../../../src/gateway/core/knownRefusal.ts';
import type { ListedRefusal } from '../../../../src/gateway/core/listedRefusal.ts';
import type { Announcements } from './announcements.ts';
import type { DatabaseConnection } from './connection.ts';
import { reportUnlessAway } from './databaseError.ts';
import { writable } from './writableText.ts';

/** So many are read: those that were learned last. */
const MAX_REFUSALS = 500;

const rows = z.array(
  z.object({
    ...{ id: z.string(), upstream: z.string(), settings: z.string(), model: z.string() },
    ...{ changes: z.array(z.string()), shape: z.nullable(z.string()), until: z.date() },
  }),
);

export interface RefusalReport extends ListedRefusal {
  /** ISO 8601. */
  readonly until: string;
}

/** What the upstreams refuse, shared by all replicas. If the database is away, each replica learns it for itself. */
export class TeamRefusals {
  readonly #connection: DatabaseConnection;
  readonly #onProblem: (message: string) => void;
  #list: RefusalList | undefined;
  /** Statements run one after the other, so that what was learned is read with what others have learned. */
  #working: Promise<void> = Promise.resolve();

  constructor(announcements: Announcements, connection: DatabaseConnection, onProblem: (message: string) => void) {
    this.#connection = connection;
    this.#onProblem = onProblem;
    announcements.on('model_access_refusals', () => this.#do(() => this.#read()));
  }

  /** Keeps a replica's list equal to that of all replicas. Resolves when it was read for the first time. */
  async share(list: RefusalList): Promise<void> {
    this.#list = list;
    list.shareWith({
      add: (learned) => this.#do(() => this.#connection.query('SELECT add_refusals($1)', [jsonOf(learned)])),
      remove: (ids) => this.#do(() => this.remove(ids)),
    });
    this.#do(() => this.#read());
    await this.#working;
  }

  /** @throws {DatabaseError} */
  async list(): Promise<readonly RefusalReport[]> {
    const found = await this.#rows();
    return found.map(({ id, upstream, model, changes, until }) => {
      return { id, upstream, model, changes, until: until.toISOString() };
    });
  }

  /**
   * @returns how many there were.
   * @throws {DatabaseError}
   */
  async remove(ids: readonly string[]): Promise<number> {
    const [row] = await this.#connection.query('SELECT remove_refusals($1) AS count', [ids]);
    return Number(row?.count);
  }

  /** Waits for what was learned to be written. */
  async close(): Promise<void> {
    await this.#working;
  }

  async #read(): Promise<void> {
    if (this.#list === undefined) return;
    const found = await this.#rows();
    this.#list.replace(
      found.toReversed().map(({ id: _, shape, until, ...rest }): KnownRefusal => {
        return { ...rest, until: until.getTime(), ...(shape !== null && { shape }) };
      }),
    );
  }

  async #rows() {
    return rows.parse(
      await this.#connection.query(
        `SELECT id, upstream, settings, model, changes, shape, until FROM refusal
         WHERE until > now() ORDER BY until DESC LIMIT ${MAX_REFUSALS}`,
      ),
    );
  }

  #do(work: () => Promise<unknown>): void {
    this.#working = this.#working.then(work).then(
      () => undefined,
      (error: unknown) => reportUnlessAway(error, this.#onProblem),
    );
  }
}

function jsonOf(learned: readonly KnownRefusal[]): string {
  const given = learned.map((each) => {
    const stored = { ...each, model: writable(each.model), changes: each.changes.map(writable) };
    return { ...stored, id: idOf(stored), until: new Date(each.until).toISOString() };
  });
  return JSON.stringify(given);
}

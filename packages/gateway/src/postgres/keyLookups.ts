import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseConnection } from './connection.ts';

/** The pause between two queries. A key that has just been created is usually announced before anyone uses it. */
const PAUSE_MS = 50;
/** Maximum number of keys in one query. Beyond it, clients are asked to retry. */
const MAX_KEYS = 1_000;

interface Batch {
  readonly digests: Set<string>;
  readonly found: Promise<ReadonlySet<string>>;
}

/**
 * Looks up keys that are not in memory. Anyone can send keys that do not exist, and budgets wait for the same
 * connection, so all keys that wait are looked up with one query, at most twenty times a second.
 */
export class KeyLookups {
  readonly #connection: DatabaseConnection;
  #next: Batch | undefined;
  /** Settles after the pause that follows the last query. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  /** Whether no further key can be looked up at the moment. */
  get isFull(): boolean {
    return this.#next !== undefined && this.#next.digests.size >= MAX_KEYS;
  }

  /** Whether a key with this digest exists and is not revoked. */
  async exists(digest: string): Promise<boolean> {
    this.#next ??= this.#nextBatch();
    this.#next.digests.add(digest);
    return (await this.#next.found).has(digest);
  }

  #nextBatch(): Batch {
    const digests = new Set<string>();
    const found = this.#last.then(() => {
      this.#next = undefined;
      return this.#find([...digests]);
    });
    const pause = () => delay(PAUSE_MS, undefined, { ref: false });
    this.#last = found.then(pause, pause);
    return { digests, found };
  }

  async #find(digests: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#connection.query(
      `SELECT encode(digest, 'base64') AS digest FROM api_key
       WHERE digest = ANY (ARRAY(SELECT decode(d, 'base64') FROM unnest($1::text[]) d)) AND revoked_at IS NULL`,
      [digests],
    );
    return new Set(rows.map(({ digest }) => String(digest)));
  }
}

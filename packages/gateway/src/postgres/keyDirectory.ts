import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { unknownKey } from '../../../../src/gateway/core/refusal.ts';
import type { KeyDetails } from '../../../../src/gateway/keys/issuedKey.ts';
import { type Admission, KeyRing, type KeySource } from '../../../../src/gateway/keys/keyRing.ts';
import { digestOf, sentSecrets } from '../../../../src/gateway/keys/sentSecrets.ts';
import type { Announcements } from './announcements.ts';
import type { DatabaseConnection } from './connection.ts';
import { DATABASE_AWAY, reportUnlessAway } from './databaseError.ts';
import { readKey, SELECT_KEYS } from './storedKey.ts';

/** Interval at which keys are read even without a notification, in case the listening connection was cut unnoticed. */
const POLL_MS = 30_000;
/** How long an unknown key is refused without another query. */
const UNKNOWN_MS = 1_000;
const MAX_UNKNOWN = 10_000;

export interface KeyDirectoryOptions {
  readonly announcements: Announcements;
  /** Shared with other short queries. */
  readonly connection: DatabaseConnection;
  readonly onProblem: (message: string) => void;
}

/**
 * The keys of the database, in memory. They are read again when the database announces a change, after the listening
 * connection was lost, and every 30 seconds. A key that is not in memory is looked up once.
 */
export class KeyDirectory implements KeySource {
  readonly #connection: DatabaseConnection;
  readonly #announcements: Announcements;
  readonly #onProblem: (message: string) => void;
  readonly #ring: KeyRing;
  readonly #lookups: KeyLookups;
  /** When a key was found to be unknown, by the key's digest. */
  readonly #unknown = new Map<string, number>();
  #onClose: (ids: ReadonlySet<string>) => void = () => undefined;
  #reading: Promise<void> | undefined;
  #isStale = false;
  #poll: NodeJS.Timeout | undefined;

  constructor({ announcements, connection, onProblem }: KeyDirectoryOptions) {
    this.#connection = connection;
    this.#lookups = new KeyLookups(connection);
    this.#announcements = announcements;
    this.#onProblem = onProblem;
    this.#ring = new KeyRing([], { onClose: (ids) => this.#onClose(ids) });
    announcements.on('model_access_keys', () => this.#reload());
  }

  /**
   * Reads the keys for the first time.
   * @throws {DatabaseError}
   */
  async begin(): Promise<void> {
    await this.#announcements.begin(() => this.#reload());
    await this.#read();
    this.#poll = setInterval(() => this.#reload(), POLL_MS).unref();
  }

  watch(onClose: (ids: ReadonlySet<string>) => void): void {
    this.#onClose = onClose;
  }

  find(id: string): KeyDetails | undefined {
    return this.#ring.find(id);
  }

  identify(headers: IncomingHttpHeaders): Admission | Promise<Admission> {
    const admission = this.#ring.identify(headers);
    if (admission.ok) return admission;
    // A key that is in memory and refused has expired.
    const unknown = sentSecrets(headers)
      .map(digestOf)
      .filter((digest) => !this.#ring.has(digest) && !this.#isUnknown(digest));
    return unknown.length === 0 ? admission : this.#identifyLate(headers, unknown);
  }

  async close(): Promise<void> {
    clearInterval(this.#poll);
    this.#ring.dispose();
    await this.#announcements.close();
  }

  async #identifyLate(headers: IncomingHttpHeaders, digests: readonly string[]): Promise<Admission> {
    if (this.#lookups.isFull) return { ok: false, refusal: DATABASE_AWAY };
    try {
      const found = await Promise.all(digests.map((digest) => this.#exists(digest)));
      if (!found.includes(true)) return { ok: false, refusal: unknownKey(true) };
      await this.#read();
      return this.#ring.identify(headers);
    } catch {
      return { ok: false, refusal: DATABASE_AWAY };
    }
  }

  async #exists(digest: string): Promise<boolean> {
    if (await this.#lookups.exists(digest)) return true;
    if (this.#unknown.size >= MAX_UNKNOWN) this.#unknown.clear();
    this.#unknown.set(digest, performance.now());
    return false;
  }

  #isUnknown(digest: string): boolean {
    const at = this.#unknown.get(digest);
    if (at === undefined) return false;
    if (performance.now() - at < UNKNOWN_MS) return true;
    this.#unknown.delete(digest);
    return false;
  }

  #reload(): void {
    this.#read().catch((error: unknown) => reportUnlessAway(error, this.#onProblem));
  }

  /** Reads again if a change was announced during the read. */
  #read(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#readUntilFresh().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readUntilFresh(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      const rows = await this.#connection.query(SELECT_KEYS);
      this.#ring.setDigested(rows.map(readKey));
      this.#unknown.clear();
    }
  }
}

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
class KeyLookups {
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

import type { IncomingHttpHeaders } from 'node:http';
import { unknownKey } from '../../../../src/gateway/core/refusal.ts';
import type { KeyDetails } from '../../../../src/gateway/keys/issuedKey.ts';
import { type Admission, KeyRing, type KeySource } from '../../../../src/gateway/keys/keyRing.ts';
import { digestOf, sentSecrets } from '../../../../src/gateway/keys/sentSecrets.ts';
import type { Announcements } from './announcements.ts';
import type { DatabaseConnection } from './connection.ts';
import { DATABASE_AWAY, databaseError } from './databaseError.ts';
import { KeyLookups } from './keyLookups.ts';
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
    this.#read().catch((error: unknown) => {
      const { problem, message } = databaseError(error);
      if (problem !== 'away') this.#onProblem(message);
    });
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

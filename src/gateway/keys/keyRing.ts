import { hkdfSync } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Refusal, unknownKey } from '../core/refusal.ts';
import { detailsOf, type IssuedKey, type KeyDetails } from './issuedKey.ts';
import { expired } from './keyRefusal.ts';
import { LocalKeySecrets } from './localKeySecrets.ts';

export type Admission =
  | { readonly ok: true; readonly key: KeyDetails }
  | { readonly ok: false; readonly refusal: Refusal };

export interface KeyRingOptions {
  /** Called with the ids of keys that open nothing from now on: revoked, rotated or expired. What they run must end. */
  readonly onClose?: (ids: ReadonlySet<string>) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Timers cannot wait longer, in milliseconds. */
const MAX_WAIT = 2 ** 31 - 1;

/** The local keys that open the gateway at this moment. */
export class KeyRing {
  readonly #onClose: (ids: ReadonlySet<string>) => void;
  readonly #now: () => number;
  #secrets = new LocalKeySecrets([]);
  #keys: ReadonlyMap<string, IssuedKey> = new Map();
  #closed: ReadonlySet<string> = new Set();
  #expiryTimer: NodeJS.Timeout | undefined;

  constructor(keys: readonly IssuedKey[], { onClose = () => undefined, now = Date.now }: KeyRingOptions = {}) {
    this.#onClose = onClose;
    this.#now = now;
    this.set(keys);
  }

  /** Whose key a request carries, found by its digest. */
  identify(headers: IncomingHttpHeaders): Admission {
    const id = this.#secrets.identify(headers);
    const key = id === undefined ? undefined : this.#keys.get(id);
    if (key === undefined) {
      const wasSent = headers.authorization !== undefined || headers['x-api-key'] !== undefined;
      return { ok: false, refusal: unknownKey(wasSent) };
    }
    if (this.#isExpired(key)) return { ok: false, refusal: expired(key) };
    return { ok: true, key: detailsOf(key) };
  }

  /**
   * 32 bytes that only the holder of a key's secret and this gateway can know, for what is sealed for the key. Another
   * after the key was rotated.
   */
  sealingKey(id: string): Uint8Array {
    const secret = this.#keys.get(id)?.secret ?? '';
    return new Uint8Array(hkdfSync('sha256', secret, '', 'model-access compaction', 32));
  }

  /** Takes effect at once. */
  set(keys: readonly IssuedKey[]): void {
    const before = this.#keys;
    this.#keys = new Map(keys.map((key) => [key.id, key]));
    this.#secrets = new LocalKeySecrets(keys);
    const gone = [...before.values()].filter(({ id, secret }) => this.#keys.get(id)?.secret !== secret);
    this.#close(gone.map(({ id }) => id));
  }

  dispose(): void {
    clearTimeout(this.#expiryTimer);
  }

  /** Tells of keys that have just gone, and of those that have expired since the last time. */
  #close(gone: readonly string[]): void {
    const expiredIds = new Set([...this.#keys.values()].filter((key) => this.#isExpired(key)).map(({ id }) => id));
    const newlyExpired = [...expiredIds].filter((id) => !this.#closed.has(id));
    this.#closed = expiredIds;
    this.#awaitExpiry();
    const ids = new Set([...gone, ...newlyExpired]);
    if (ids.size > 0) this.#onClose(ids);
  }

  #awaitExpiry(): void {
    clearTimeout(this.#expiryTimer);
    const now = this.#now();
    const times = [...this.#keys.values()].flatMap(({ expiresAt = 0 }) => (expiresAt > now ? [expiresAt - now] : []));
    if (times.length === 0) return;
    this.#expiryTimer = setTimeout(() => this.#close([]), Math.min(MAX_WAIT, ...times)).unref();
  }

  #isExpired({ expiresAt }: IssuedKey): boolean {
    return expiresAt !== undefined && expiresAt <= this.#now();
  }
}

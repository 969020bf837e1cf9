import type { IncomingHttpHeaders } from 'node:http';
import { type Refusal, unknownKey } from '../core/refusal.ts';
import { detailsOf, type IssuedKey, type KeyDetails } from './issuedKey.ts';
import { expired } from './keyRefusal.ts';
import { digestOf, LocalKeySecrets } from './localKeySecrets.ts';

export type Admission =
  | { readonly ok: true; readonly key: KeyDetails }
  | { readonly ok: false; readonly refusal: Refusal };

/** A key that is known by the digest of its secret. */
export interface DigestedKey {
  readonly details: KeyDetails;
  readonly digest: string;
}

/** Keys that are kept elsewhere. */
export interface KeySource {
  /** Whose key a request carries; nothing is waited for when that is known already. */
  identify(headers: IncomingHttpHeaders): Admission | Promise<Admission>;
  /** @param onClose called with the ids of keys that open nothing from now on. */
  watch(onClose: (ids: ReadonlySet<string>) => void): void;
}

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
  #keys: ReadonlyMap<string, DigestedKey> = new Map();
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
    if (this.#isExpired(key)) return { ok: false, refusal: expired(key.details) };
    return { ok: true, key: key.details };
  }

  /** Takes effect at once. */
  set(keys: readonly IssuedKey[]): void {
    this.setDigested(keys.map((key) => ({ details: detailsOf(key), digest: digestOf(key.secret) })));
  }

  /** Takes effect at once. */
  setDigested(keys: readonly DigestedKey[]): void {
    const before = this.#keys;
    this.#keys = new Map(keys.map((key) => [key.details.id, key]));
    this.#secrets = new LocalKeySecrets(keys.map(({ details, digest }) => ({ id: details.id, digest })));
    const gone = [...before].filter(([id, { digest }]) => this.#keys.get(id)?.digest !== digest);
    this.#close(gone.map(([id]) => id));
  }

  find(id: string): KeyDetails | undefined {
    return this.#keys.get(id)?.details;
  }

  dispose(): void {
    clearTimeout(this.#expiryTimer);
  }

  /** Tells of keys that have just gone, and of those that have expired since the last time. */
  #close(gone: readonly string[]): void {
    const expiredIds = new Set(
      [...this.#keys.values()].filter((key) => this.#isExpired(key)).map(({ details }) => details.id),
    );
    const newlyExpired = [...expiredIds].filter((id) => !this.#closed.has(id));
    this.#closed = expiredIds;
    this.#awaitExpiry();
    const ids = new Set([...gone, ...newlyExpired]);
    if (ids.size > 0) this.#onClose(ids);
  }

  #awaitExpiry(): void {
    clearTimeout(this.#expiryTimer);
    const now = this.#now();
    const ends = [...this.#keys.values()].map(({ details }) => details.expiresAt ?? 0);
    const times = ends.flatMap((end) => (end > now ? [end - now] : []));
    if (times.length === 0) return;
    this.#expiryTimer = setTimeout(
      () => this.#close([]),
      times.reduce((least, time) => Math.min(least, time), MAX_WAIT),
    ).unref();
  }

  #isExpired({ details: { expiresAt } }: DigestedKey): boolean {
    return expiresAt !== undefined && expiresAt <= this.#now();
  }
}

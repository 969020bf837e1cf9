import type { IncomingHttpHeaders } from 'node:http';
import { type Refusal, unknownKey } from '../core/refusal.ts';
import { detailsOf, type IssuedKey, type KeyDetails } from './issuedKey.ts';
import { expired } from './keyRefusal.ts';
import { digestOf, sentSecrets } from './sentSecrets.ts';

export type Admission =
  | { readonly ok: true; readonly key: KeyDetails }
  | { readonly ok: false; readonly refusal: Refusal };

/** A key identified by the digest of its secret, as {@link digestOf} computes it. */
export interface DigestedKey {
  readonly details: KeyDetails;
  readonly digest: string;
}

/** Keys that are stored outside the gateway's process. */
export interface KeySource {
  /** Identifies the key of a request. Returns a promise only if the key must be looked up. */
  identify(headers: IncomingHttpHeaders): Admission | Promise<Admission>;
  /** @param onClose called with the IDs of keys that are no longer valid. */
  watch(onClose: (ids: ReadonlySet<string>) => void): void;
}

export interface KeyRingOptions {
  /**
   * Called with the IDs of keys that are no longer valid (revoked, rotated, or expired). Their running requests must
   * end.
   */
  readonly onClose?: (ids: ReadonlySet<string>) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** The longest delay of a timer, in milliseconds. */
const MAX_WAIT = 2 ** 31 - 1;

/**
 * The local keys that currently grant access to the gateway. They are looked up by the digests of their secrets: a
 * caller cannot choose a digest close to that of another secret, so the duration of a lookup reveals nothing about them.
 */
export class KeyRing {
  readonly #onClose: (ids: ReadonlySet<string>) => void;
  readonly #now: () => number;
  #byDigest: ReadonlyMap<string, DigestedKey> = new Map();
  #keys: ReadonlyMap<string, DigestedKey> = new Map();
  #closed: ReadonlySet<string> = new Set();
  #expiryTimer: NodeJS.Timeout | undefined;

  constructor(keys: readonly IssuedKey[], { onClose = () => undefined, now = Date.now }: KeyRingOptions = {}) {
    this.#onClose = onClose;
    this.#now = now;
    this.set(keys);
  }

  /** Identifies the key of a request. If both headers of a key are sent, one valid key is enough. */
  identify(headers: IncomingHttpHeaders): Admission {
    for (const secret of sentSecrets(headers)) {
      const key = this.#byDigest.get(digestOf(secret));
      if (key === undefined) continue;
      return this.#isExpired(key) ? { ok: false, refusal: expired(key.details) } : { ok: true, key: key.details };
    }
    const wasSent = headers.authorization !== undefined || headers['x-api-key'] !== undefined;
    return { ok: false, refusal: unknownKey(wasSent) };
  }

  /** Replaces all keys, with immediate effect. */
  set(keys: readonly IssuedKey[]): void {
    this.setDigested(keys.map((key) => ({ details: detailsOf(key), digest: digestOf(key.secret) })));
  }

  /** Replaces all keys, with immediate effect. */
  setDigested(keys: readonly DigestedKey[]): void {
    const before = this.#keys;
    this.#keys = new Map(keys.map((key) => [key.details.id, key]));
    this.#byDigest = new Map(keys.map((key) => [key.digest, key]));
    const removed = [...before].filter(([id, { digest }]) => this.#keys.get(id)?.digest !== digest);
    this.#close(removed.map(([id]) => id));
  }

  /** Whether a key has this digest, also if it has expired. */
  has(digest: string): boolean {
    return this.#byDigest.has(digest);
  }

  find(id: string): KeyDetails | undefined {
    return this.#keys.get(id)?.details;
  }

  dispose(): void {
    clearTimeout(this.#expiryTimer);
  }

  /** Reports keys that were removed, and keys that have expired since the last call. */
  #close(removed: readonly string[]): void {
    const expiredIds = new Set(
      [...this.#keys.values()].filter((key) => this.#isExpired(key)).map(({ details }) => details.id),
    );
    const newlyExpired = [...expiredIds].filter((id) => !this.#closed.has(id));
    this.#closed = expiredIds;
    this.#awaitExpiry();
    const ids = new Set([...removed, ...newlyExpired]);
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
      times.reduce((soonest, time) => Math.min(soonest, time), MAX_WAIT),
    ).unref();
  }

  #isExpired({ details: { expiresAt } }: DigestedKey): boolean {
    return expiresAt !== undefined && expiresAt <= this.#now();
  }
}

import type { IncomingHttpHeaders } from 'node:http';
import { type Refusal, unknownKey } from '../core/refusal.ts';
import { detailsOf, type IssuedKey, type KeyDetails } from './issuedKey.ts';
import { expired } from './keyRefusal.ts';
import { digestOf, LocalKeySecrets } from './localKeySecrets.ts';

export type Admission =
  | { readonly ok: true; readonly key: KeyDetails }
  | { readonly ok: false; readonly refusal: Refusal };

/** A key identified by the digest of its secret. */
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

/** The local keys that currently grant access to the gateway. */
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

  /** Identifies the key of a request by the digest of its secret. */
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

  /** Replaces all keys, with immediate effect. */
  set(keys: readonly IssuedKey[]): void {
    this.setDigested(keys.map((key) => ({ details: detailsOf(key), digest: digestOf(key.secret) })));
  }

  /** Replaces all keys, with immediate effect. */
  setDigested(keys: readonly DigestedKey[]): void {
    const before = this.#keys;
    this.#keys = new Map(keys.map((key) => [key.details.id, key]));
    this.#secrets = new LocalKeySecrets(keys.map(({ details, digest }) => ({ id: details.id, digest })));
    const removed = [...before].filter(([id, { digest }]) => this.#keys.get(id)?.digest !== digest);
    this.#close(removed.map(([id]) => id));
  }

  /** Whether a key has this digest, also if it has expired. */
  has(digest: string): boolean {
    return this.#secrets.has(digest);
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

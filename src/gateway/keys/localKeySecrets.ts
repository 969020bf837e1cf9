import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { LocalKey } from './localKey.ts';

interface HashedKey {
  readonly id: string;
  readonly digest: Buffer;
}

/**
 * Tells whose key a request carries. Digests of equal length are compared, all of them every time, so that the time
 * says nothing about how long a key is, how much of it was right, or which one it was.
 */
export class LocalKeys {
  readonly #keys: readonly HashedKey[];
  readonly #areEqual: (a: Buffer, b: Buffer) => boolean;

  /** @param areEqual in a time that says nothing of where they differ. */
  constructor(keys: readonly LocalKey[], areEqual: (a: Buffer, b: Buffer) => boolean = timingSafeEqual) {
    this.#areEqual = areEqual;
    this.#keys = keys.map(({ id, secret }) => ({ id, digest: digestOf(secret) }));
  }

  /** The id of the key sent as `Authorization: Bearer` or `x-api-key`; either may be the right one. */
  identify(headers: IncomingHttpHeaders): string | undefined {
    const bearer = bearerToken(headers.authorization);
    const apiKey = headers['x-api-key'];
    return (
      (bearer === undefined ? undefined : this.#find(bearer)) ??
      (typeof apiKey === 'string' ? this.#find(apiKey.trim()) : undefined)
    );
  }

  #find(secret: string): string | undefined {
    const digest = digestOf(secret);
    let found: string | undefined;
    for (const key of this.#keys) {
      if (this.#areEqual(key.digest, digest)) found = key.id;
    }
    return found;
  }
}

function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

const BEARER = /^bearer +(\S+) *$/i;

function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}

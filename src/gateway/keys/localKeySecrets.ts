import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { LocalKey } from './localKey.ts';

/**
 * Tells whose key a request carries. Secrets are looked up by their SHA-256 digests, so the time of a lookup depends on a
 * digest that the caller cannot steer toward that of another secret: it says nothing about any key.
 */
export class LocalKeySecrets {
  readonly #idByDigest: ReadonlyMap<string, string>;

  constructor(keys: readonly LocalKey[]) {
    this.#idByDigest = new Map(keys.map(({ id, secret }) => [digestOf(secret), id]));
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
    return this.#idByDigest.get(digestOf(secret));
  }
}

function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64');
}

const BEARER = /^bearer +(\S+) *$/i;

function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}

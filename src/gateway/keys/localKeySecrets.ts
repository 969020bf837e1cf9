import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Tells whose key a request carries. Secrets are looked up by their SHA-256 digests, so the time of a lookup depends on a
 * digest that the caller cannot steer toward that of another secret: it says nothing about any key.
 */
export class LocalKeySecrets {
  readonly #idByDigest: ReadonlyMap<string, string>;

  /** @param keys digests as {@link digestOf} gives them. */
  constructor(keys: readonly { readonly id: string; readonly digest: string }[]) {
    this.#idByDigest = new Map(keys.map(({ id, digest }) => [digest, id]));
  }

  /** The id of the key sent as `Authorization: Bearer` or `x-api-key`; either may be the right one. */
  identify(headers: IncomingHttpHeaders): string | undefined {
    for (const secret of sentSecrets(headers)) {
      const id = this.#idByDigest.get(digestOf(secret));
      if (id !== undefined) return id;
    }
    return undefined;
  }
}

/** What a request carries where keys are sent. */
export function sentSecrets(headers: IncomingHttpHeaders): readonly string[] {
  const bearer = bearerToken(headers.authorization);
  const apiKey = headers['x-api-key'];
  const secrets = bearer === undefined ? [] : [bearer];
  if (typeof apiKey === 'string') secrets.push(apiKey.trim());
  return secrets;
}

/** In base64. */
export function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64');
}

const BEARER = /^bearer +(\S+) *$/i;

function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}

import { hash, hkdfSync } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Identifies the key of a request. Secrets are looked up by their SHA-256 digests: a caller cannot choose a digest
 * close to that of another secret, so the duration of a lookup reveals nothing about the keys.
 */
export class LocalKeySecrets {
  readonly #idByDigest: ReadonlyMap<string, string>;

  /** @param keys with digests computed by {@link digestOf}. */
  constructor(keys: readonly { readonly id: string; readonly digest: string }[]) {
    this.#idByDigest = new Map(keys.map(({ id, digest }) => [digest, id]));
  }

  has(digest: string): boolean {
    return this.#idByDigest.has(digest);
  }

  /**
   * Returns the ID of the key sent as `Authorization: Bearer` or `x-api-key`. If both are sent, one valid key is
   * enough.
   */
  identify(headers: IncomingHttpHeaders): string | undefined {
    for (const secret of sentSecrets(headers)) {
      const id = this.#idByDigest.get(digestOf(secret));
      if (id !== undefined) return id;
    }
    return undefined;
  }
}

/** Returns the secrets in the headers in which clients send keys. */
export function sentSecrets(headers: IncomingHttpHeaders): readonly string[] {
  const bearer = bearerToken(headers.authorization);
  const apiKey = headers['x-api-key'];
  const secrets = bearer === undefined ? [] : [bearer];
  if (typeof apiKey === 'string') secrets.push(apiKey.trim());
  return secrets;
}

/** SHA-256 in base64. */
export function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64');
}

const BEARER = /^bearer +(\S+) *$/i;

function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}

/**
 * Derives 32 bytes, known only to the holder of a local key's secret, with which the gateway seals data for that key.
 * They come from the secrets in the request's headers, because the gateway itself may know only a digest. Both headers
 * are used, since one of them can contain the same placeholder in the requests of several tools.
 */
export function sealingKey(headers: IncomingHttpHeaders): Uint8Array {
  const secrets = sentSecrets(headers).join('\n');
  return new Uint8Array(hkdfSync('sha256', secrets, '', 'model-access compaction', 32));
}

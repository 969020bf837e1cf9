/** The secrets of local keys as clients send them, which an upstream must not see. */
import { hash, hkdfSync } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^bearer +(\S+) *$/i;

/** Shorter texts are placeholders such as `none`, which also occur elsewhere. */
const MIN_SECRET_LENGTH = 12;

/** The parts of a request's head that reach an upstream as the client wrote them. */
export interface SentHead {
  readonly headers: IncomingHttpHeaders;
  /** With its `?`, or empty. */
  readonly query: string;
}

/** Returns the secrets in the headers in which clients send keys: `Authorization: Bearer` and `x-api-key`. */
export function sentSecrets({ authorization = '', 'x-api-key': apiKey }: IncomingHttpHeaders): readonly string[] {
  const bearer = BEARER.exec(authorization)?.[1];
  const secrets = bearer === undefined ? [] : [bearer];
  if (typeof apiKey === 'string') secrets.push(apiKey.trim());
  return secrets;
}

/** SHA-256 in base64. */
export function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64');
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

/**
 * Removes the headers and query parameters in which a client repeats its local key, which is valid here and is no
 * business of an upstream.
 * @param sent the secrets with which the request was authenticated.
 */
export function withoutSecrets(head: SentHead, sent: readonly string[]): SentHead {
  let clean = head;
  for (const secret of sent) if (secret.length >= MIN_SECRET_LENGTH) clean = withoutSecret(clean, secret);
  return clean;
}

/** Header names are in lower case. */
function withoutSecret({ headers, query }: SentHead, secret: string): SentHead {
  const inName = secret.toLowerCase();
  for (const name in headers) {
    const value = headers[name];
    const text = typeof value === 'string' ? value : (value ?? []).join('\n');
    if (text.includes(secret) || name.includes(inName)) delete headers[name];
  }
  return { headers, query: query.length < secret.length ? query : withoutParameters(query, secret) };
}

function withoutParameters(query: string, secret: string): string {
  const parameters = query.slice(1).split('&');
  const kept = parameters.filter((parameter) => !parameter.includes(secret) && !decoded(parameter).includes(secret));
  if (kept.length === parameters.length) return query;
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}

/** Decodes repeatedly, like addresses that are passed on in other addresses. */
function decoded(text: string, levels = 3): string {
  try {
    const plain = decodeURIComponent(text);
    return plain === text || levels === 0 ? plain : decoded(plain, levels - 1);
  } catch {
    return text.replace(/%[0-9a-f]{2}/gi, (byte) => String.fromCharCode(Number.parseInt(byte.slice(1), 16)));
  }
}

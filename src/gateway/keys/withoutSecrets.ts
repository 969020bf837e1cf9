import type { IncomingHttpHeaders } from 'node:http';

/** Shorter texts are placeholders such as `none`, which also occur elsewhere. */
const MIN_SECRET_LENGTH = 12;

/** The parts of a request's head that reach an upstream as the client wrote them. */
export interface SentHead {
  readonly headers: IncomingHttpHeaders;
  /** With its `?`, or empty. */
  readonly query: string;
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

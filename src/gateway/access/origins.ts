import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** Seconds for which a browser may remember a preflight's answer. */
const PREFLIGHT_MAX_AGE = 600;

/** What a page may read of an answer beside the headers that every page may. */
const EXPOSED_HEADERS =
  'request-id, x-request-id, retry-after, x-model-access-sandbox, x-model-access-dropped, x-model-access-estimate, ' +
  'x-model-access-upstream, x-model-access-model, x-model-access-route';

/** What a browser says when no other site had a hand in it. Any other word, two of them too, is one of another site. */
const OWN_SITES: ReadonlySet<string> = new Set(['none', 'same-origin']);

/**
 * Web pages that may call the gateway: none, unless the user lists their origins. Programs send no Origin; a browser
 * does on every request that could do harm, and says with Sec-Fetch-Site when it comes from elsewhere.
 */
export class OriginList {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  allows(headers: IncomingHttpHeaders): boolean {
    const { origin } = headers;
    if (origin !== undefined) return this.#origins.has(origin);
    const site = headers['sec-fetch-site'];
    return site === undefined || OWN_SITES.has(String(site));
  }

  /** Headers that let the page read the answer, when the request came from a listed one. */
  answerHeaders({ origin }: IncomingHttpHeaders): OutgoingHttpHeaders | undefined {
    if (origin === undefined || !this.#origins.has(origin)) return undefined;
    return {
      'access-control-allow-origin': origin,
      'access-control-expose-headers': EXPOSED_HEADERS,
      vary: 'origin',
    };
  }

  /** The answer to a preflight of a listed origin; `undefined` when the request is not such a preflight. */
  preflightHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders | undefined {
    const answer = this.answerHeaders(headers);
    if (answer === undefined || headers['access-control-request-method'] === undefined) return undefined;
    const requested = headers['access-control-request-headers'];
    return {
      ...answer,
      vary: 'origin, access-control-request-headers',
      'access-control-allow-methods': 'GET, POST',
      'access-control-max-age': String(PREFLIGHT_MAX_AGE),
      ...(requested !== undefined && { 'access-control-allow-headers': requested }),
      ...(headers['access-control-request-private-network'] === 'true' && {
        'access-control-allow-private-network': 'true',
      }),
    };
  }
}

import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** Seconds for which a browser may cache the response to a preflight. */
const PREFLIGHT_MAX_AGE = 600;

/** Response headers that a page may read, in addition to those that every page may read. */
const EXPOSED_HEADERS =
  'request-id, x-request-id, retry-after, x-model-access-sandbox, x-model-access-dropped, x-model-access-estimate, x-model-access-output-limit, ' +
  'x-model-access-upstream, x-model-access-model, x-model-access-route';

/**
 * `Sec-Fetch-Site` of requests in which no other site is involved. All other values, and repeated ones, are refused.
 */
const OWN_SITES: ReadonlySet<string> = new Set(['none', 'same-origin']);

/**
 * Origins of web pages that may call the gateway. None by default. Programs send no `Origin` header. A browser sends it
 * with every request that could do harm, and marks requests from other sites with `Sec-Fetch-Site`.
 */
export class OriginList {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** For a request of a browser, which has one of the two headers. */
  allows({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
    return origin === undefined ? OWN_SITES.has(String(site)) : this.#origins.has(origin);
  }

  /**
   * Lets a page of an allowed origin read the answer.
   * @returns whether the request was a preflight, which is answered.
   */
  admitPage({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
    const answer = method === 'OPTIONS' ? this.preflightHeaders(headers) : undefined;
    if (answer !== undefined) {
      response.writeHead(204, answer).end();
      return true;
    }
    for (const [name, value] of Object.entries(this.answerHeaders(headers) ?? {})) {
      if (value !== undefined) response.setHeader(name, value);
    }
    return false;
  }

  /** Returns the headers that let the page read the answer, or `undefined` if the request has no allowed origin. */
  answerHeaders({ origin }: IncomingHttpHeaders): OutgoingHttpHeaders | undefined {
    if (origin === undefined || !this.#origins.has(origin)) return undefined;
    return {
      'access-control-allow-origin': origin,
      'access-control-expose-headers': EXPOSED_HEADERS,
      vary: 'origin',
    };
  }

  /**
   * Returns the headers for a preflight of an allowed origin, or `undefined` if the request is not such a preflight.
   */
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

import type { ApiError } from '../../formats/apiError.ts';

const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at that address',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed while the request was sent',
  ENOTFOUND: 'the name of the host is not known',
  EAI_AGAIN: 'the name of the host could not be looked up; the network may be down',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_HEADERS_TIMEOUT: 'it did not begin to answer in time',
  UND_ERR_BODY_TIMEOUT: 'it stopped in the middle of the answer',
  UND_ERR_SOCKET: 'the connection was closed before the answer was complete',
  UND_ERR_ABORTED: 'the proxy refused the connection',
  UND_ERR_PRX_TLS: 'the certificate of the proxy is not valid for its name',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed and not trusted on this machine',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate comes from an authority that is not trusted on this machine',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes from an authority that is not trusted on this machine',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate comes from an authority that is not trusted on this machine',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

const TIMEOUTS: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** undici has no code of its own for this. */
const PROXY_WANTS_CREDENTIALS = /\(407\)/;

/** A failed connection in words. `origin` is the upstream's, without path or credentials. */
export function networkError(error: Error, origin: string): ApiError {
  const code = errorCode(error);
  const cause = causeInWords(error, code);
  const timedOut = TIMEOUTS.has(code);
  return {
    kind: timedOut ? 'timeout' : 'network',
    status: timedOut ? 504 : 502,
    message: `The service at ${origin} could not be reached or broke off: ${cause}.`,
  };
}

function causeInWords({ message }: Error, code: string): string {
  if (PROXY_WANTS_CREDENTIALS.test(message)) return 'the proxy refused, it asks for credentials';
  return CAUSES[code] ?? (code === '' ? 'the connection failed' : `the connection failed (${code})`);
}

/** The most telling code: libraries wrap what the system said. */
function errorCode(error: Error): string {
  if (error.cause instanceof Error) {
    const inner = errorCode(error.cause);
    if (inner !== '') return inner;
  }
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

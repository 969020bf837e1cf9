import type { ApiError } from '../../formats/apiError.ts';

const UNKNOWN_AUTHORITY =
  'its certificate comes from an authority that is not trusted on this machine; add the authority to the certificates of the system, or name its file in NODE_EXTRA_CA_CERTS';

/** Explanations in the wording of Node.js and its libraries, which agents look for to decide whether to retry. */
const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at that address',
  ECONNRESET: 'connection reset by the other side',
  EPIPE: 'the connection was closed while the request was sent',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be resolved; the network may be down',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_HEADERS_TIMEOUT: 'it did not start to respond in time',
  UND_ERR_BODY_TIMEOUT: 'it stopped sending in the middle of the answer',
  UND_ERR_SOCKET: 'the connection was closed before the answer was complete (premature close)',
  UND_ERR_ABORTED: 'the proxy refused the connection',
  UND_ERR_PRX_TLS: 'the certificate of the proxy is not valid for its name',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed and not trusted on this machine',
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

/** With these errors, the request had already been sent. */
const SENT: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

const TIMEOUTS: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** undici has no error codes for responses of a proxy. */
const PROXY_STATUS = /(?:Proxy response|Proxy Authentication Required) \((\d{3})\)/;
const NO_CREDENTIALS =
  'the proxy requires other credentials; add the user name and password to its address (http://user:password@host:port), or set http.proxyAuthorization';

/**
 * Describes a failed connection. The message starts like those of the official SDKs.
 * @param origin the upstream's origin, without path or credentials.
 */
export function networkError(error: Error, origin: string): ApiError {
  const code = errorCode(error);
  const cause = causeInWords(error, code);
  const timedOut = TIMEOUTS.has(code);
  return {
    kind: timedOut ? 'timeout' : 'network',
    status: timedOut ? 504 : 502,
    message: `Connection error with the service at ${origin}: ${cause}.`,
    ...(SENT.has(code) && { mayBeBilled: true }),
  };
}

function causeInWords({ message }: Error, code: string): string {
  const [, proxyStatus] = PROXY_STATUS.exec(message) ?? [];
  if (proxyStatus === '407') return NO_CREDENTIALS;
  if (proxyStatus !== undefined)
    return `the proxy refused the connection (${proxyStatus}); its rules may not allow this host`;
  return CAUSES[code] ?? (code === '' ? 'the connection failed' : `the connection failed (${code})`);
}

/** Returns the most specific code, because libraries wrap the operating system's error. */
function errorCode(error: Error): string {
  if (error.cause instanceof Error) {
    const inner = errorCode(error.cause);
    if (inner !== '') return inner;
  }
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Explains why there was no response, and whether the request may have reached the service. */
import * as l10n from '@vscode/l10n';
import type { ErrorKind } from '../formats/apiError.ts';
import type { Repeat } from './repeat.ts';
import { ServiceError } from './serviceError.ts';

interface NetworkFailure {
  readonly kind: ErrorKind;
  readonly message: string;
  /** The system's or the library's code, such as `ECONNREFUSED`. */
  readonly code?: string;
  readonly repeat: Repeat;
  /** False if the connection was never ready for a request, so that the service has received nothing. */
  readonly wasSent: boolean;
}

interface Cause {
  readonly codes: readonly string[];
  readonly message: (host: string) => string;
  readonly repeat: Repeat;
  /** True if the failure happens on an established connection. */
  readonly wasSent?: true;
  readonly kind?: ErrorKind;
}

const CAUSES: readonly Cause[] = [
  {
    codes: ['ECONNREFUSED', 'ERR_CONNECTION_REFUSED'],
    message: (host) =>
      l10n.t('Nothing responds at {0}. Check the base address and whether the service is running.', host),
    repeat: 'safe',
  },
  {
    codes: ['ENOTFOUND', 'ERR_NAME_NOT_RESOLVED'],
    message: (host) => l10n.t('The name {0} was not found. Check the base address and the network connection.', host),
    repeat: 'safe',
  },
  {
    codes: ['EAI_AGAIN'],
    message: (host) => l10n.t('The name {0} could not be resolved. Check the network connection.', host),
    repeat: 'safe',
  },
  {
    codes: [
      'ENETUNREACH',
      'EHOSTUNREACH',
      'ENETDOWN',
      'EADDRNOTAVAIL',
      'ERR_INTERNET_DISCONNECTED',
      'ERR_ADDRESS_UNREACHABLE',
    ],
    message: (host) =>
      l10n.t(
        '{0} cannot be reached from this network. Check the network connection, the VPN, and the proxy settings.',
        host,
      ),
    repeat: 'safe',
  },
  {
    codes: ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ERR_CONNECTION_TIMED_OUT'],
    message: (host) =>
      l10n.t('The connection to {0} timed out. Check the network connection and the proxy settings.', host),
    repeat: 'safe',
  },
  {
    codes: ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'],
    message: (host) => l10n.t('{0} accepted the request but did not respond in time.', host),
    repeat: 'never',
    wasSent: true,
    kind: 'timeout',
  },
  {
    codes: ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ECONNABORTED', 'ERR_CONNECTION_RESET', 'ERR_EMPTY_RESPONSE'],
    message: (host) => l10n.t('The connection to {0} was lost before a response arrived.', host),
    repeat: 'unsure',
    wasSent: true,
  },
  {
    codes: ['CERT_HAS_EXPIRED', 'ERR_CERT_DATE_INVALID'],
    message: (host) =>
      l10n.t(
        'The certificate of {0} has expired. Check this computer’s clock. If it is correct, contact the service.',
        host,
      ),
    repeat: 'never',
  },
  {
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_CERT_COMMON_NAME_INVALID'],
    message: (host) => l10n.t('The certificate is not valid for the name {0}. Check the base address.', host),
    repeat: 'never',
  },
  {
    codes: [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'ERR_CERT_AUTHORITY_INVALID',
    ],
    message: (host) =>
      l10n.t(
        'The certificate of {0} is not trusted on this machine. On a company network, add the company’s certificate authority to the system’s certificate store.',
        host,
      ),
    repeat: 'never',
  },
  {
    codes: ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PROTOCOL_ERROR'],
    message: (host) =>
      l10n.t(
        'Could not establish a secure connection to {0}. Check whether the base address should start with https or http.',
        host,
      ),
    repeat: 'never',
  },
  {
    codes: ['HPE_INVALID_CONSTANT', 'HPE_INVALID_VERSION', 'HPE_INVALID_HEADER_TOKEN', 'UND_ERR_HEADERS_OVERFLOW'],
    message: (host) => l10n.t('The server at {0} does not speak HTTP. Check the base address.', host),
    repeat: 'never',
    wasSent: true,
  },
];

/**
 * Codes without a message of their own that concern a name, a proxy, a certificate, or a handshake: nothing was sent.
 */
const BEFORE_SENDING =
  /^(ERR_(NAME|PROXY|TUNNEL|SSL|TLS|CERT|INVALID)_|CERT_|UND_ERR_(INVALID_ARG|PRX_TLS)|EACCES|EPERM)/;
/** The message when the other side closes the connection during the handshake. Its code is that of a later reset. */
const NO_TLS_YET = /before secure TLS connection was established/;

/** The host's `fetch` has no code for this error. */
const PROXY_WANTS_CREDENTIALS = /\(407\)/;

function proxyCredentials(): string {
  return l10n.t(
    'The proxy requires other credentials. Add the user name and password to its address in the http.proxy setting, such as http://user:password@host:port.',
  );
}

/**
 * Creates the error of a `fetch` that failed before a response.
 * @param error the value that `fetch` threw.
 * @param host name and port of the service.
 */
export function networkError(error: unknown, host: string): ServiceError {
  const { wasSent: mayBeBilled, ...failure } = describe(error, host);
  return new ServiceError({ ...failure, mayBeBilled }, { cause: error });
}

function describe(error: unknown, host: string): NetworkFailure {
  const code = codeOf(error);
  const cause = CAUSES.find(({ codes }) => code !== undefined && codes.includes(code));
  const wasSent = wasSentBefore(error, code, cause);
  if (cause === undefined) {
    const words = lastMessageOf(error);
    if (PROXY_WANTS_CREDENTIALS.test(words))
      return { kind: 'network', message: proxyCredentials(), repeat: 'never', wasSent: false };
    const reason = code === undefined || words.includes(code) ? words : `${words}, ${code}`;
    const message = l10n.t(
      'No response from {0} ({1}). Check the network connection and the proxy settings.',
      host,
      reason,
    );
    return { kind: 'network', message, repeat: 'unsure', wasSent, ...(code !== undefined && { code }) };
  }
  const { message, repeat, kind = 'network' } = cause;
  return { kind, message: message(host), repeat, wasSent, ...(code !== undefined && { code }) };
}

function wasSentBefore(error: unknown, code: string | undefined, cause: Cause | undefined): boolean {
  const chain = [...chainOf(error)];
  if (chain.some(({ message }) => NO_TLS_YET.test(message))) return false;
  // The same codes are used for connections that could not be established and for connections that were lost.
  if (chain.some((each) => 'syscall' in each && (each.syscall === 'read' || each.syscall === 'write'))) return true;
  return cause === undefined ? code === undefined || !BEFORE_SENDING.test(code) : cause.wasSent === true;
}

/**
 * Yields an error and its causes: `fetch` wraps the cause in one or more errors, and the errors of several addresses in
 * an `AggregateError`.
 */
function* chainOf(error: unknown): Generator<Error> {
  let each = error;
  for (let depth = 0; depth < 8 && each instanceof Error; depth += 1) {
    yield each;
    each = each.cause ?? (each instanceof AggregateError ? each.errors[0] : undefined);
  }
}

function codeOf(error: unknown): string | undefined {
  for (const each of chainOf(error)) {
    if ('code' in each && typeof each.code === 'string') return each.code;
    const named = /\bnet::(ERR_\w+)/.exec(each.message)?.[1];
    if (named !== undefined) return named;
  }
  return undefined;
}

function lastMessageOf(error: unknown): string {
  const messages = [...chainOf(error)].map(({ message }) => message).filter((message) => message !== '');
  return messages.at(-1) ?? l10n.t('no reason given');
}

/** Why no answer came, in plain words, and whether the request may have reached the service. */
import type { ErrorKind } from '../formats/apiError.ts';
import type { Repeat } from './repeat.ts';

export interface NetworkFailure {
  readonly kind: ErrorKind;
  readonly message: string;
  /** The system's or the library's word, such as `ECONNREFUSED`. */
  readonly code?: string;
  readonly repeat: Repeat;
}

interface Cause {
  readonly codes: readonly string[];
  /** `{host}` stands for the host that was asked. */
  readonly message: string;
  readonly repeat: Repeat;
  readonly kind?: ErrorKind;
}

const CAUSES: readonly Cause[] = [
  {
    codes: ['ECONNREFUSED'],
    message: 'Nothing answers at {host}. Check the base address, and that the service is running.',
    repeat: 'safe',
  },
  {
    codes: ['ENOTFOUND'],
    message: 'The name {host} was not found. Check the base address and the network connection.',
    repeat: 'safe',
  },
  {
    codes: ['EAI_AGAIN'],
    message: 'The name {host} could not be looked up. Check the network connection.',
    repeat: 'safe',
  },
  {
    codes: ['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'ERR_INTERNET_DISCONNECTED'],
    message: 'There is no way to {host} from here. Check the network connection, the VPN and the proxy settings.',
    repeat: 'safe',
  },
  {
    codes: ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ERR_CONNECTION_TIMED_OUT'],
    message: 'No connection to {host} within the time allowed. Check the network connection and the proxy settings.',
    repeat: 'safe',
  },
  {
    codes: ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'],
    message: '{host} took the request but sent nothing within the time allowed.',
    repeat: 'never',
    kind: 'timeout',
  },
  {
    codes: ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ECONNABORTED', 'ERR_CONNECTION_RESET', 'ERR_EMPTY_RESPONSE'],
    message: 'The connection to {host} broke before an answer came.',
    repeat: 'unsure',
  },
  {
    codes: ['CERT_HAS_EXPIRED', 'ERR_CERT_DATE_INVALID'],
    message: 'The certificate of {host} has expired. Check this computer’s clock; if it is right, tell the service.',
    repeat: 'never',
  },
  {
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_CERT_COMMON_NAME_INVALID'],
    message: 'The certificate belongs to another name than {host}. Check the base address.',
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
    message:
      'The certificate of {host} is not trusted here. In a company network, add its certificate authority to the ' +
      'system’s store.',
    repeat: 'never',
  },
  {
    codes: ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PROTOCOL_ERROR'],
    message: 'No secure connection to {host}. Check whether the base address begins with https or http.',
    repeat: 'never',
  },
  {
    codes: ['HPE_INVALID_CONSTANT', 'HPE_INVALID_VERSION', 'HPE_INVALID_HEADER_TOKEN', 'UND_ERR_HEADERS_OVERFLOW'],
    message: 'What answers at {host} does not speak HTTP. Check the base address.',
    repeat: 'never',
  },
];

/** The host's `fetch` has no code for this. */
const PROXY_WANTS_CREDENTIALS = /\(407\)/;
const PROXY_CREDENTIALS =
  'The proxy asks for other credentials. Write user and password into its address in the setting http.proxy, ' +
  'such as http://user:password@host:port.';

/** @param error What `fetch` threw. @param host Name and port that were asked. */
export function describeNetworkFailure(error: unknown, host: string): NetworkFailure {
  const code = codeOf(error);
  const cause = CAUSES.find(({ codes }) => code !== undefined && codes.includes(code));
  if (cause === undefined) {
    const words = lastMessageOf(error);
    if (PROXY_WANTS_CREDENTIALS.test(words)) return { kind: 'network', message: PROXY_CREDENTIALS, repeat: 'never' };
    const reason = code === undefined || words.includes(code) ? words : `${words}, ${code}`;
    const message = `No answer from ${host} (${reason}). Check the network connection and the proxy settings.`;
    return { kind: 'network', message, repeat: 'unsure', ...(code !== undefined && { code }) };
  }
  const { message, repeat, kind = 'network' } = cause;
  return { kind, message: message.replaceAll('{host}', host), repeat, ...(code !== undefined && { code }) };
}

/** `fetch` wraps its reason in one or more causes, and several tried addresses in an `AggregateError`. */
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
  return messages.at(-1) ?? 'no reason given';
}

import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import { LONG_NAME } from './modelName.ts';

/** Why a request is refused, with a message that explains to its sender what to change. */
export interface Refusal {
  readonly error: ApiError;
  readonly headers?: OutgoingHttpHeaders;
  /** Short text for the count of requests that were refused before their sender was known. */
  readonly reason?: string;
}

/** RFC 9112, section 3.2. A proxy in front of the gateway may have used the other header. */
export const TWO_HOSTS: Refusal = {
  error: { kind: 'invalidRequest', status: 400, message: 'The request has more than one Host header. Send one.' },
  headers: { connection: 'close' },
  reason: 'more than one Host header',
};

export const FOREIGN_HOST: Refusal = {
  error: {
    kind: 'permission',
    status: 403,
    message:
      'The Host header does not name this machine. Use the gateway under 127.0.0.1 or localhost. For containers and WSL, run the command-line gateway with --allow-host, such as --allow-host host.docker.internal.',
  },
  reason: 'a Host header of another machine',
};

/** Used if further names are allowed. Does not list them, because the client may not be entitled to know them. */
export const UNLISTED_HOST: Refusal = {
  ...FOREIGN_HOST,
  error: {
    kind: 'permission',
    status: 403,
    message: 'The gateway cannot be used under this host name. Its administrator allows names with --allow-host.',
  },
};

export const FOREIGN_ORIGIN: Refusal = {
  error: {
    kind: 'permission',
    status: 403,
    message: 'Web pages cannot use the gateway unless its user allows their origin.',
  },
  reason: 'a web page that is not allowed',
};

export function unknownKey(wasSent: boolean): Refusal {
  const problem = wasSent ? 'This gateway does not recognize the local key.' : 'A local key is missing.';
  return {
    error: {
      kind: 'authentication',
      status: 401,
      message: `${problem} Send one of the gateway's local keys as "Authorization: Bearer key_..." or "x-api-key: key_...".`,
    },
    headers: { 'www-authenticate': 'Bearer' },
    reason: wasSent ? 'an unknown local key' : 'no local key',
  };
}

export function unknownPath(endpoints: readonly string[], baseAddress: string): Refusal {
  return {
    error: {
      kind: 'notFound',
      status: 404,
      // Without this code, clients would report an unknown model.
      code: 'unknown_url',
      message: `This path does not exist. The endpoints are ${endpoints.join(', ')}, all below ${baseAddress}.`,
    },
  };
}

export function wrongMethod(endpoint: string, allowed: string): Refusal {
  return {
    error: { kind: 'invalidRequest', status: 405, message: `${endpoint} answers ${allowed} only.` },
    headers: { allow: allowed },
  };
}

export const NOT_JSON = unsupported('Send the body as JSON with "Content-Type: application/json".');
export const NO_FORM = unsupported('Send the body as a form with "Content-Type: multipart/form-data; boundary=...".');
export const NOT_UTF8 = unsupported('Send the body in UTF-8, with "Content-Type: application/json".');

function unsupported(message: string): Refusal {
  return { error: { kind: 'invalidRequest', status: 415, message } };
}

export const TOO_MANY: Refusal = {
  error: { kind: 'overloaded', status: 503, message: 'Too many requests are in progress. Retry in a moment.' },
  headers: { 'retry-after': '1' },
};

export const STOPPING: Refusal = {
  error: { kind: 'overloaded', status: 503, message: 'The gateway is stopping. Send the request again later.' },
  headers: { connection: 'close' },
};

export const CANCELLED: Refusal = {
  error: { kind: 'permission', status: 499, message: 'The request was canceled in the editor.' },
};

export function bodyTooLarge(maxBytes: number): Refusal {
  const megabytes = Math.floor(maxBytes / 1024 / 1024);
  return { error: { kind: 'tooLarge', status: 413, message: `The body can be at most ${megabytes} MB.` } };
}

export const BODY_TOO_SLOW: Refusal = {
  error: { kind: 'timeout', status: 408, message: 'The body did not arrive in time.' },
  headers: { connection: 'close' },
};

export const MODEL_TOO_LONG: Refusal = {
  error: { kind: 'invalidRequest', status: 400, param: 'model', message: LONG_NAME },
};

/** The refusal on which this client ends the session immediately and shows the message. */
export function finalRefusal(isCodex: boolean, message: string): Refusal {
  const headers = { 'x-should-retry': 'false' };
  return isCodex
    ? { error: { kind: 'invalidRequest', status: 400, message }, headers }
    : { error: { kind: 'credit', status: 402, message }, headers };
}

export function endedSession(isCodex: boolean): Refusal {
  const message = 'This session was ended. Nothing was sent or charged. Retrying does not help: start a new session.';
  return finalRefusal(isCodex, message);
}

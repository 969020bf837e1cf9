import type { ApiError, ErrorKind } from '../apiError.ts';
import { defined } from '../json.ts';
import type { EncodedError } from '../wireFormat.ts';
import { type MessagesError, messagesError } from './schema.ts';

const SPELLINGS: Readonly<Record<ErrorKind, { readonly status: number; readonly type: string }>> = {
  authentication: { status: 401, type: 'authentication_error' },
  credit: { status: 402, type: 'billing_error' },
  permission: { status: 403, type: 'permission_error' },
  notFound: { status: 404, type: 'not_found_error' },
  rateLimit: { status: 429, type: 'rate_limit_error' },
  overloaded: { status: 529, type: 'overloaded_error' },
  invalidRequest: { status: 400, type: 'invalid_request_error' },
  tooLarge: { status: 413, type: 'request_too_large' },
  timeout: { status: 504, type: 'timeout_error' },
  network: { status: 502, type: 'api_error' },
  malformed: { status: 502, type: 'api_error' },
  server: { status: 500, type: 'api_error' },
};

/** Several kinds are written as `api_error`, which is read as the last of them, `server`. */
const KINDS: ReadonlyMap<string, ErrorKind> = new Map(
  Object.entries(SPELLINGS).map(([kind, { type }]) => [type, kind as ErrorKind]),
);

export function decodeError(body: unknown): ApiError | undefined {
  const result = messagesError.safeParse(body);
  return result.success ? errorOf(result.data) : undefined;
}

/** Returns the error of a valid error body or event. */
export function errorOf({ error, request_id }: MessagesError): ApiError {
  return defined({
    kind: KINDS.get(error.type ?? '') ?? 'server',
    message: error.message ?? 'The service reported an error without a message.',
    type: error.type ?? undefined,
    code: error.details?.error_code ?? undefined,
    requestId: request_id ?? undefined,
  });
}

export function encodeError(error: ApiError): EncodedError<MessagesError> {
  const usual = SPELLINGS[error.kind];
  const status = error.status !== undefined && error.status >= 400 ? error.status : usual.status;
  const details = error.code === undefined ? {} : { details: { error_code: error.code } };
  const body = { type: 'error' as const, error: { type: usual.type, message: error.message, ...details } };
  return { status, body: error.requestId === undefined ? body : { ...body, request_id: error.requestId } };
}

/**
 * The refusal of a request that continues a thread, which the service stores, so that a client sends only new messages.
 * The gateway does not store them. After this error, the official SDK sends the whole conversation as a new thread.
 */
export const LOST_THREAD: ApiError = {
  kind: 'notFound',
  status: 404,
  code: 'thread_not_found',
  param: 'thread',
  message: 'The thread of this message is not known here. Send the whole conversation.',
};

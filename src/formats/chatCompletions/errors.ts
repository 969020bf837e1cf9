import { type ApiError, type ErrorKind, KIND_OF_STATUS } from '../apiError.ts';
import { defined, isRecord } from '../json.ts';
import type { EncodedError } from '../wireFormat.ts';
import { type ChatCompletionsError, errorSchema } from './schema.ts';

interface ErrorDefaults {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
}

/** The usual type and code for each kind of error. */
const DEFAULTS: Readonly<Record<ErrorKind, ErrorDefaults>> = {
  authentication: { status: 401, type: 'invalid_request_error', code: 'invalid_api_key' },
  credit: { status: 402, type: 'insufficient_quota', code: 'insufficient_quota' },
  permission: { status: 403, type: 'permission_error', code: 'permission_denied' },
  notFound: { status: 404, type: 'invalid_request_error', code: 'model_not_found' },
  rateLimit: { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  overloaded: { status: 503, type: 'server_error', code: 'overloaded' },
  invalidRequest: { status: 400, type: 'invalid_request_error', code: null },
  tooLarge: { status: 413, type: 'invalid_request_error', code: 'request_too_large' },
  timeout: { status: 504, type: 'server_error', code: 'timeout' },
  network: { status: 502, type: 'server_error', code: 'connection_error' },
  malformed: { status: 502, type: 'server_error', code: 'malformed_response' },
  server: { status: 500, type: 'server_error', code: null },
};

/** Codes are more specific than types, so they are checked first. */
const KIND_OF_CODE: Readonly<Record<string, ErrorKind>> = {
  invalid_api_key: 'authentication',
  insufficient_quota: 'credit',
  billing_hard_limit_reached: 'credit',
  billing_not_active: 'credit',
  insufficient_balance: 'credit',
  permission_denied: 'permission',
  unsupported_country_region_territory: 'permission',
  model_not_found: 'notFound',
  rate_limit_exceeded: 'rateLimit',
  overloaded: 'overloaded',
  context_length_exceeded: 'invalidRequest',
  request_too_large: 'tooLarge',
  timeout: 'timeout',
  connection_error: 'network',
  malformed_response: 'malformed',
  invalid_request: 'invalidRequest',
};

const KIND_OF_TYPE: Readonly<Record<string, ErrorKind>> = {
  invalid_request_error: 'invalidRequest',
  insufficient_quota: 'credit',
  permission_error: 'permission',
  rate_limit_error: 'rateLimit',
  requests: 'rateLimit',
  tokens: 'rateLimit',
  server_error: 'server',
};

/**
 * The messages format's types, which servers that support both formats may send here. This format never writes them.
 */
const KIND_OF_FOREIGN_TYPE: Readonly<Record<string, ErrorKind>> = {
  authentication_error: 'authentication',
  billing_error: 'credit',
  not_found_error: 'notFound',
  request_too_large: 'tooLarge',
  timeout_error: 'timeout',
  overloaded_error: 'overloaded',
  api_error: 'server',
};

/** @returns undefined if the body is not an error of this format. An `error` of `null` is not an error. */
export function decodeError(body: unknown): ApiError | undefined {
  const result = errorSchema.safeParse(normalized(body));
  if (!result.success) return undefined;
  const { message, type, code, param } = result.data.error;
  const kind = kindOf(code, type);
  const words = {
    type: type ?? undefined,
    code: code === null ? undefined : code?.toString(),
    param: param ?? undefined,
  };
  return { kind, message, ...defined(words) };
}

/**
 * Converts two other forms in use: only the message as the error, and the error's members next to `object: "error"`.
 */
function normalized(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  if ('error' in body && typeof body.error === 'string') return { error: { message: body.error } };
  if ('object' in body && body.object === 'error') return { error: body };
  if (!hasFailedBase(body)) return body;
  const { status_code: code, status_msg: message } = body.base_resp;
  return {
    error: { message: message || `The service answered with code ${code}.`, code: CODE_OF_BASE[code] ?? String(code) },
  };
}

interface FailedBase {
  readonly base_resp: { readonly status_code: number; readonly status_msg?: string };
}

/** Codes of MiniMax, which sends its errors beside the choices, with status 200. */
const CODE_OF_BASE: Readonly<Record<number, string>> = {
  1002: 'rate_limit_exceeded',
  1004: 'invalid_api_key',
  1008: 'insufficient_balance',
  1039: 'rate_limit_exceeded',
  1041: 'rate_limit_exceeded',
  2013: 'invalid_request',
  2049: 'invalid_api_key',
};

/** Whether an answer has such an error. Its code is 0 if there is none. */
export function hasFailedBase(body: object): body is FailedBase {
  const base = 'base_resp' in body && isRecord(body.base_resp) ? body.base_resp : undefined;
  return typeof base?.status_code === 'number' && base.status_code !== 0;
}

function kindOf(code: string | number | null | undefined, type: string | null | undefined): ErrorKind {
  if (typeof code === 'number') return look(KIND_OF_STATUS, code) ?? 'server';
  return (
    look(KIND_OF_CODE, code) ??
    look(KIND_OF_TYPE, type) ??
    look(KIND_OF_FOREIGN_TYPE, type) ??
    look(KIND_OF_STATUS, code) ??
    'server'
  );
}

function look(
  table: Readonly<Record<string | number, ErrorKind>>,
  word: string | number | null | undefined,
): ErrorKind | undefined {
  return word !== undefined && word !== null && Object.hasOwn(table, word) ? table[word] : undefined;
}

export function encodeError(error: ApiError): EncodedError<ChatCompletionsError> {
  const usual = DEFAULTS[error.kind];
  const { message, type, code, param = null } = error;
  const foreign = type !== undefined && Object.hasOwn(KIND_OF_FOREIGN_TYPE, type) && code === undefined;
  const words =
    (type === undefined && code === undefined) || foreign
      ? { type: usual.type, code: usual.code }
      : { type: type ?? usual.type, code: code ?? null };
  const status = error.status !== undefined && error.status >= 400 ? error.status : usual.status;
  return { status, body: { error: { message, type: words.type, param, code: words.code } } };
}

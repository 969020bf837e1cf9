import type { ApiError, ErrorKind } from '../apiError.ts';
import * as sameVendor from '../chatCompletions/errors.ts';
import type { EncodedError } from '../wireFormat.ts';
import type { WireError } from './schema.ts';

/** Bodies of errors are those of chat-completions: both formats are one vendor's. */
export type ResponsesError = ReturnType<typeof sameVendor.encodeError>['body'];

export function encodeError(error: ApiError): EncodedError<ResponsesError> {
  return sameVendor.encodeError(error);
}

/** `undefined` when the body is not an error: a whole answer has an `error` too, mostly `null`. */
export function decodeError(body: unknown): ApiError | undefined {
  const error = sameVendor.decodeError(body);
  return error && { ...error, kind: kindOf(error) };
}

/** Codes that only failed answers have, and what they mean; all about images say that the request is at fault. */
const KIND_OF_CODE: Readonly<Record<string, ErrorKind>> = {
  invalid_prompt: 'invalidRequest',
  server_is_overloaded: 'overloaded',
  slow_down: 'overloaded',
};
/** Kinds of failures that another try may not meet, all with one code. */
const PASSING: ReadonlySet<ErrorKind> = new Set(['network', 'malformed', 'timeout', 'overloaded', 'server']);
const ABOUT_IMAGES = /(^|_)image(_|$)/;

function kindOf({ kind, code }: ApiError): ErrorKind {
  if (kind !== 'server' || code === undefined) return kind;
  if (Object.hasOwn(KIND_OF_CODE, code)) return KIND_OF_CODE[code] ?? kind;
  return ABOUT_IMAGES.test(code) ? 'invalidRequest' : kind;
}

/** An error within a stream. Services may leave out even the message. */
export function decodeFailure(error: WireError | null | undefined): ApiError {
  const message = error?.message || 'The service reported a failed answer without a reason.';
  return decodeError({ error: { ...error, message } }) ?? { kind: 'server', message };
}

/**
 * The `error` of a failed answer. Its code comes from a list of its own: there are clients that ask again after
 * `server_error`, and never after one that is not on the list.
 */
export function encodeFailure(error: ApiError): { code: string; message: string } {
  const { code, message } = encodeError(error).body.error;
  const usual = error.kind === 'invalidRequest' ? 'invalid_prompt' : 'server_error';
  return { code: PASSING.has(error.kind) ? usual : (code?.toString() ?? usual), message: message ?? '' };
}

/**
 * An error within a stream: with its members as the format is documented, and within `error`, where services really
 * send them. The official SDKs throw for the latter alone, and there are clients that know no other failure.
 */
export function encodeErrorEvent(error: ApiError) {
  const { type, param = null } = encodeError(error).body.error;
  const members = { ...encodeFailure(error), param };
  return { type: 'error' as const, ...members, error: { type: type ?? 'server_error', ...members } };
}

import type { ApiError, ErrorKind } from '../apiError.ts';
import * as sameVendor from '../chatCompletions/errors.ts';
import type { EncodedError } from '../wireFormat.ts';
import type { WireError } from './schema.ts';

/** Error bodies are those of chat-completions, because both formats come from one vendor. */
export type ResponsesError = ReturnType<typeof sameVendor.encodeError>['body'];

export function encodeError(error: ApiError): EncodedError<ResponsesError> {
  return sameVendor.encodeError(error);
}

/** @returns undefined if the body is not an error. A complete answer also has an `error`, usually `null`. */
export function decodeError(body: unknown): ApiError | undefined {
  const error = sameVendor.decodeError(body);
  return error && { ...error, kind: kindOf(error) };
}

/** Codes of failed answers and their kinds. All codes about images mean an invalid request. */
const KIND_OF_CODE: Readonly<Record<string, ErrorKind>> = {
  invalid_prompt: 'invalidRequest',
  server_is_overloaded: 'overloaded',
  slow_down: 'overloaded',
};
/** Kinds of failures that may not recur in a retry. They share one code. */
const PASSING: ReadonlySet<ErrorKind> = new Set(['network', 'malformed', 'timeout', 'overloaded', 'server']);
const ABOUT_IMAGES = /(^|_)image(_|$)/;

function kindOf({ kind, code }: ApiError): ErrorKind {
  if (kind !== 'server' || code === undefined) return kind;
  if (Object.hasOwn(KIND_OF_CODE, code)) return KIND_OF_CODE[code] ?? kind;
  return ABOUT_IMAGES.test(code) ? 'invalidRequest' : kind;
}

/** Decodes an error in a stream. Some services even omit the message. */
export function decodeFailure(error: WireError | null | undefined): ApiError {
  const message = error?.message || 'The service reported a failed answer without a reason.';
  return decodeError({ error: { ...error, message } }) ?? { kind: 'server', message };
}

/**
 * Encodes the `error` of a failed answer. Its code comes from a separate list: some clients retry after `server_error`,
 * and never after a code that is not in the list.
 */
export function encodeFailure(error: ApiError): { code: string; message: string } {
  const { code, message } = encodeError(error).body.error;
  const usual = error.kind === 'invalidRequest' ? 'invalid_prompt' : 'server_error';
  return { code: PASSING.has(error.kind) ? usual : (code?.toString() ?? usual), message: message ?? '' };
}

/**
 * Encodes an error in a stream, with its members both at the top level, as documented, and in `error`, where services
 * actually send them. The official SDKs throw only for the latter, and some clients handle no other failure.
 */
export function encodeErrorEvent(error: ApiError) {
  const { type, param = null } = encodeError(error).body.error;
  const members = { ...encodeFailure(error), param };
  return { type: 'error' as const, ...members, error: { type: type ?? 'server_error', ...members } };
}

/**
 * Returns the events that end a stream whose answer has failed: the error, and the failed answer. Many clients handle
 * only one of them.
 * @param response the answer so far.
 * @param sequence the number of the first of these events.
 */
export function failedEvents(error: ApiError, response: Readonly<Record<string, unknown>>, sequence: number) {
  const failed = { ...response, status: 'failed', error: encodeFailure(error) };
  return [
    { ...encodeErrorEvent(error), sequence_number: sequence },
    { type: 'response.failed' as const, sequence_number: sequence + 1, response: failed },
  ];
}

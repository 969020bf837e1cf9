/** What the caller is told when no upstream answers. */
import type { ApiError } from '../../../formats/apiError.ts';
import type { WireFormat } from '../../../formats/wireFormat.ts';
import { sendJson } from '../../core/gatewayAnswer.ts';
import type { AnswerSink } from '../../core/upstream.ts';
import { forCaller, newRequestId } from '../../core/upstreamError.ts';
import { parseJsonBody } from '../../http/jsonBody.ts';
import { keyRefused, refusesKey } from '../refusedKey.ts';
import type { ErrorAnswer, Failure } from './failure.ts';
import type { PreparedCall } from './preparedCall.ts';

const RETRY_HEADERS = ['retry-after', 'retry-after-ms', 'x-should-retry'] as const;

/**
 * Passes the failure on: the upstream's own words where the caller can read them, else an error in the caller's format.
 * A refused key of the upstream is no matter of the caller's key, so it does not look like one.
 */
export function tellFailure(failure: Failure, prepared: PreparedCall, sink: AnswerSink, caller: WireFormat): void {
  const { answer, error } = failure;
  const { format, isReadable, routing } = prepared;
  if (isReadable && failure.trigger === 'auth' && refusesKey(error.status)) {
    sink.fail(keyRefused(error, routing.upstream));
  } else if (answer !== undefined && (prepared.isTranslated || isOfFormat(answer, format))) {
    prepared.sink.start(answer.status, answer.headers);
    prepared.sink.data(answer.body);
    prepared.sink.end();
  } else if (answer !== undefined) {
    tell(forCaller(error, format, caller), answer, sink, caller);
  } else sink.fail(forCaller(error, format, caller));
}

/** Agents match the words of refusals; a page of a proxy has none for them. */
function isOfFormat({ status, headers, body }: ErrorAnswer, format: WireFormat): boolean {
  if (/html/i.test(String(headers['content-type'] ?? ''))) return false;
  return status < 500 || format.decodeError(parseJsonBody(body)) !== undefined;
}

function tell(error: ApiError, { headers }: ErrorAnswer, sink: AnswerSink, caller: WireFormat): void {
  const requestId = error.requestId ?? newRequestId();
  const { status, body } = caller.encodeError({ ...error, requestId });
  const retry = Object.fromEntries(RETRY_HEADERS.flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])));
  sendJson(sink, status, body, { ...retry, 'request-id': requestId, 'x-request-id': requestId });
}

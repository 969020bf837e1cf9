/** The error that the caller receives if no upstream answers. */
import type { ApiError } from '../../../formats/apiError.ts';
import type { WireFormat } from '../../../formats/wireFormat.ts';
import { newRequestId } from '../../core/callIds.ts';
import { sendJson } from '../../core/gatewayAnswer.ts';
import type { AnswerSink } from '../../core/upstream.ts';
import { forCaller } from '../../core/upstreamError.ts';
import { parseJsonBody } from '../../http/jsonBody.ts';
import { keyRefused, refusesKey } from '../refusedKey.ts';
import type { ErrorAnswer, Failure } from './failure.ts';
import type { PreparedCall } from './preparedCall.ts';

const RETRY_HEADERS = ['retry-after', 'retry-after-ms', 'x-should-retry'] as const;

/**
 * Passes the upstream's error response on if the caller can read it. Otherwise, sends an error in the caller's format.
 * If the upstream refuses the gateway's key, the error must not look as if the caller's key were refused.
 */
export function reportFailure(failure: Failure, prepared: PreparedCall, sink: AnswerSink, caller: WireFormat): void {
  const { answer, error } = failure;
  const { format, isReadable, routing } = prepared;
  if (isReadable && failure.trigger === 'auth' && refusesKey(error.status)) {
    sink.fail(keyRefused(error, routing.upstream));
  } else if (answer !== undefined && (prepared.isTranslated || isOfFormat(answer, format))) {
    prepared.sink.start(answer.status, answer.headers);
    prepared.sink.data(answer.body);
    prepared.sink.end();
  } else if (answer !== undefined) {
    respond(forCaller(error, format, caller), answer, sink, caller);
  } else sink.fail(forCaller(error, format, caller));
}

/** Agents match the text of error messages, which the HTML page of a proxy does not contain. */
function isOfFormat({ status, headers, body }: ErrorAnswer, format: WireFormat): boolean {
  if (/html/i.test(String(headers['content-type'] ?? ''))) return false;
  return status < 500 || format.decodeError(parseJsonBody(body)) !== undefined;
}

function respond(error: ApiError, { headers }: ErrorAnswer, sink: AnswerSink, caller: WireFormat): void {
  const requestId = error.requestId ?? newRequestId();
  const { status, body } = caller.encodeError({ ...error, requestId });
  const retry = Object.fromEntries(RETRY_HEADERS.flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])));
  sendJson(sink, status, body, { ...retry, 'request-id': requestId, 'x-request-id': requestId });
}

/** Answers that the gateway gives itself where an upstream's would stand. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import { internalError } from './laterCall.ts';
import type { AnswerSink, UpstreamCall } from './upstream.ts';
import { newRequestId } from './upstreamError.ts';

export function sendJson(sink: AnswerSink, status: number, body: unknown, headers: OutgoingHttpHeaders = {}): void {
  const bytes = Buffer.from(JSON.stringify(body));
  const requestId = newRequestId();
  sink.start(status, {
    'request-id': requestId,
    'x-request-id': requestId,
    ...headers,
    'content-type': 'application/json',
    'content-length': bytes.length,
  });
  sink.data(bytes);
  sink.end();
}

export function sendApiError(sink: AnswerSink, format: WireFormat, error: ApiError): void {
  const requestId = error.requestId ?? newRequestId();
  const { status, body } = format.encodeError({ ...error, requestId });
  sendJson(sink, status, body, { 'request-id': requestId, 'x-request-id': requestId });
}

/** Nothing is under way any more. */
export const ANSWERED: UpstreamCall = {
  pause: () => undefined,
  resume: () => undefined,
  cancel: () => undefined,
};

/** A call whose answer is worked out in several steps, each of which ends when the client leaves. */
export function answerLater(sink: AnswerSink, answer: (signal: AbortSignal) => Promise<() => void>): UpstreamCall {
  const left = new AbortController();
  answer(left.signal).then(
    (send) => left.signal.aborted || send(),
    (error: unknown) => {
      if (!left.signal.aborted) sink.fail(internalError(error));
    },
  );
  return { ...ANSWERED, cancel: () => left.abort() };
}

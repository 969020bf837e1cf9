/** Answers that the gateway itself sends in place of an upstream's. */
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

/** The call of an answer that is complete. */
export const ANSWERED: UpstreamCall = {
  pause: () => undefined,
  resume: () => undefined,
  cancel: () => undefined,
};

/** Returns a call whose answer takes several steps. Canceling the call stops them. */
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

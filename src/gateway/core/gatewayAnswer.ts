/** Answers that the gateway itself sends in place of an upstream's. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import { internalError } from './callHandle.ts';
import { newRequestId } from './callIds.ts';
import type { ClientResponse } from './clientResponse.ts';
import type { AnswerSink, UpstreamCall } from './upstream.ts';

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

/**
 * Answers with an error in the caller's format. Its request ID is the ID of the exchange unless the error has one.
 * @returns the number of bytes of the body.
 */
export function sendError(
  response: ClientResponse,
  format: WireFormat,
  error: ApiError,
  requestId: string,
  headers?: OutgoingHttpHeaders,
): number {
  const { status, body } = format.encodeError({ requestId, ...error });
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': bytes.length,
    'x-request-id': requestId,
    'request-id': requestId,
  });
  response.end(bytes);
  return bytes.length;
}

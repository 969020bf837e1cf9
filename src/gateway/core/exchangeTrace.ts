import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import type { AnswerSink, Routing, UpstreamRequest } from './upstream.ts';

/** What an exchange tells of itself on its way: a few times, and never for the pieces of its answer. */
export interface ExchangeTrace {
  /** An upstream is asked. @returns the sink for the answer: the given one, or another before it. */
  asked(request: UpstreamRequest, sink: AnswerSink): AnswerSink;
  /** Of several upstreams this one is asked. */
  routed(routing: Routing): void;
  answered(headers: OutgoingHttpHeaders): void;
  /** The gateway itself has said no, or that the answer broke off. */
  failed(error: ApiError): void;
}

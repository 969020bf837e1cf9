import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import type { AnswerSink, Routing, UpstreamRequest } from './upstream.ts';

/** Receives the main events of an exchange: a few calls for each exchange, and none for the chunks of its answer. */
export interface ExchangeTrace {
  /**
   * Called when an upstream is asked.
   * @returns the sink for the answer: the given one, or another one in front of it.
   */
  asked(request: UpstreamRequest, sink: AnswerSink): AnswerSink;
  /** Called when one of several upstreams was selected. */
  routed(routing: Routing): void;
  answered(headers: OutgoingHttpHeaders): void;
  /** Called when the gateway itself answers with an error, or when the answer was cut off. */
  failed(error: ApiError): void;
}

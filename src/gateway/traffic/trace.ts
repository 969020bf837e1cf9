import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import type { FormatName } from '../../formats/conversation.ts';
import { redact } from '../../service/redact.ts';
import { shownHeaders } from '../../service/shownHeaders.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import type { AnswerSink, Routing, UpstreamRequest } from '../core/upstream.ts';
import { requestHeaders } from '../http/headers.ts';
import { CapturedExchange } from './capturedExchange.ts';
import type { Attempt, TrafficDetails } from './protocol.ts';

/**
 * What is remembered of one exchange. Receives its main events: a few calls for each exchange, and none for the chunks of
 * its answer.
 */
export class Trace {
  readonly #id: string;
  readonly #format: FormatName;
  readonly #startedAt = performance.now();
  /** The client's headers including its key, kept only until the exchange has ended. */
  #rawHeaders: readonly string[] | undefined;
  #requestHeaders: IncomingHttpHeaders | undefined;
  #answerHeaders: OutgoingHttpHeaders | undefined;
  #problem: string | undefined;
  #record: ExchangeRecord | undefined;
  #attempts: Attempt[] = [];
  #captured: CapturedExchange | undefined;
  endedAt = 0;

  constructor(id: string, format: FormatName, rawHeaders: readonly string[]) {
    this.#id = id;
    this.#format = format;
    this.#rawHeaders = rawHeaders;
  }

  get captured(): CapturedExchange | undefined {
    return this.#captured;
  }

  capture(mayKeep: (bytes: number) => boolean): void {
    this.#captured = new CapturedExchange({ now: () => performance.now() - this.#startedAt, mayKeep });
  }

  deleteBodies(): void {
    this.#captured?.delete();
    this.#captured = undefined;
  }

  /**
   * Called when an upstream is asked.
   * @returns the sink for the answer: the given one, or another one in front of it.
   */
  asked(request: UpstreamRequest, sink: AnswerSink): AnswerSink {
    this.#requestHeaders = request.headers;
    return this.#captured?.asked(request, sink) ?? sink;
  }

  /** Called when one of several upstreams was selected. */
  routed({ upstream }: Routing): void {
    if (this.#attempts.at(-1)?.upstream === upstream) return;
    this.#attempts.push({ upstream, atMs: performance.now() - this.#startedAt });
  }

  answered(headers: OutgoingHttpHeaders): void {
    this.#answerHeaders = headers;
  }

  /** Called when the gateway itself answers with an error, or when the answer was cut off. */
  failed({ message }: ApiError): void {
    this.#problem = redact(message);
  }

  end(record: ExchangeRecord): void {
    this.#requestHeaders ??= requestHeaders(this.#rawHeaders ?? [], undefined);
    this.#rawHeaders = undefined;
    this.#record = record;
    this.endedAt = performance.now();
  }

  details(): TrafficDetails {
    return {
      id: this.#id,
      callerFormat: this.#format,
      ...(this.#record !== undefined && { record: this.#record }),
      ...(this.#requestHeaders !== undefined && { requestHeaders: shownHeaders(this.#requestHeaders) }),
      ...(this.#answerHeaders !== undefined && { answerHeaders: shownHeaders(this.#answerHeaders) }),
      attempts: this.#attempts,
      ...(this.#problem !== undefined && { problem: this.#problem }),
      bodies: this.#captured?.summaries ?? [],
    };
  }
}

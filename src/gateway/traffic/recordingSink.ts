import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import type { AnswerSink, Routing, UpstreamRequest, UsageCount } from '../core/upstream.ts';
import type { BilledFailure, UpstreamAttempt } from '../core/upstreamAttempt.ts';
import { encodingOf } from '../http/answerHeaders.ts';
import type { RecordedBody } from './recordedBody.ts';

export interface Recording {
  readonly body: RecordedBody;
  /** Milliseconds from the beginning of the exchange. */
  readonly now: () => number;
  readonly tap?: NonNullable<AnswerSink['tap']>;
}

/** Keeps an answer on its way to the sink that it is for. */
export class RecordingSink implements AnswerSink {
  readonly #sink: AnswerSink;
  readonly #recording: Recording;

  constructor(sink: AnswerSink, recording: Recording) {
    this.#sink = sink;
    this.#recording = recording;
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    this.#recording.body.encoding = encodingOf(headers);
    this.#sink.start(status, headers);
  }

  data(chunk: Uint8Array | string): boolean {
    this.#recording.body.add(chunk, this.#recording.now());
    return this.#sink.data(chunk);
  }

  end(): void {
    this.#sink.end();
  }

  fail(error: ApiError): void {
    this.#sink.fail(error);
  }

  routed(routing: Routing): void {
    this.#sink.routed?.(routing);
  }

  attempted(attempt: UpstreamAttempt, billed?: BilledFailure): void {
    this.#sink.attempted?.(attempt, billed);
  }

  mayTryAgain(): boolean | Promise<boolean> {
    return this.#sink.mayTryAgain?.() ?? true;
  }

  used(count: UsageCount): void {
    this.#sink.used?.(count);
  }

  dropped(names: readonly string[]): void {
    this.#sink.dropped?.(names);
  }

  tap(request: UpstreamRequest, sink: AnswerSink): AnswerSink {
    return this.#recording.tap?.(request, sink) ?? sink;
  }
}

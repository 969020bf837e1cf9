import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import type { BilledFailure, UpstreamAttempt } from '../../ledger/upstreamAttempt.ts';
import type { AnswerSink, Routing, UpstreamRequest, UsageCount } from './upstream.ts';

/** Forwards everything to another sink. Subclasses override what they change or read. */
export class PassingSink implements AnswerSink {
  protected readonly sink: AnswerSink;

  constructor(sink: AnswerSink) {
    this.sink = sink;
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    this.sink.start(status, headers);
  }

  data(chunk: Buffer): boolean {
    return this.sink.data(chunk);
  }

  end(): void {
    this.sink.end();
  }

  fail(error: ApiError): void {
    this.sink.fail(error);
  }

  routed(routing: Routing): void {
    this.sink.routed?.(routing);
  }

  attempted(attempt: UpstreamAttempt, billed?: BilledFailure): void {
    this.sink.attempted?.(attempt, billed);
  }

  mayTryAgain(): boolean | Promise<boolean> {
    return this.sink.mayTryAgain?.() ?? true;
  }

  used(count: UsageCount): void {
    this.sink.used?.(count);
  }

  dropped(names: readonly string[]): void {
    this.sink.dropped?.(names);
  }

  tap(request: UpstreamRequest, sink: AnswerSink): AnswerSink {
    return this.sink.tap?.(request, sink) ?? sink;
  }
}

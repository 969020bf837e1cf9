import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../../formats/apiError.ts';
import type { AnswerSink, Routing, UpstreamRequest, UsageCount } from '../../core/upstream.ts';
import type { BilledFailure } from '../../core/upstreamAttempt.ts';

export interface FrontOptions {
  /** The caller's. */
  readonly sink: AnswerSink;
  /** Added to the headers of the answer. */
  readonly headers: () => OutgoingHttpHeaders | undefined;
  /** Called instead of the sink when the answer fails before it has begun, such as when it cannot be translated. */
  readonly onFailed: (error: ApiError, begun: BilledFailure | undefined) => void;
  /** The answer has ended, or broke off. */
  readonly onEnded: () => void;
}

/** The caller's side of one attempt: where its answer arrives, translated if need be. */
export class AnswerFront implements AnswerSink {
  readonly #options: FrontOptions;
  #hasBegun = false;
  #count: UsageCount | undefined;
  #isClosed = false;

  constructor(options: FrontOptions) {
    this.#options = options;
  }

  /** Somebody else is asked: nothing that still comes is heard. */
  close(): void {
    this.#isClosed = true;
  }

  /** Nobody did better: the caller is told after all. */
  reopen(): void {
    this.#isClosed = false;
    this.#hasBegun = true;
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    if (this.#isClosed) return;
    this.#hasBegun = true;
    const added = this.#options.headers();
    this.#options.sink.start(status, added === undefined ? headers : { ...headers, ...added });
  }

  data(chunk: Uint8Array | string): boolean {
    return this.#isClosed || this.#options.sink.data(chunk);
  }

  end(): void {
    if (this.#isClosed) return;
    this.#options.onEnded();
    this.#options.sink.end();
  }

  fail(error: ApiError): void {
    if (this.#isClosed) return;
    if (!this.#hasBegun) {
      this.#options.onFailed(error, this.#begun());
      return;
    }
    this.#options.onEnded();
    this.#options.sink.fail(error);
  }

  routed(routing: Routing): void {
    if (!this.#isClosed) this.#options.sink.routed?.(routing);
  }

  used(count: UsageCount): void {
    if (this.#isClosed) return;
    this.#count = count;
    this.#options.sink.used?.(count);
  }

  dropped(names: readonly string[]): void {
    if (!this.#isClosed) this.#options.sink.dropped?.(names);
  }

  tap(request: UpstreamRequest, sink: AnswerSink): AnswerSink {
    return this.#options.sink.tap?.(request, sink) ?? sink;
  }

  /** What an answer has used that could be read and not be translated. */
  #begun(): BilledFailure | undefined {
    if (this.#count === undefined || this.#count.isEstimated) return undefined;
    return { usage: this.#count.usage, ...(this.#count.isPartial !== true && { isWhole: true }) };
  }
}

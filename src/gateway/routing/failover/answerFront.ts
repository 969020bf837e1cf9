import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../../formats/apiError.ts';
import type { BilledFailure } from '../../../ledger/upstreamAttempt.ts';
import type { AnswerSink, Routing, UpstreamRequest, UsageCount } from '../../core/upstream.ts';
import type { ByteSink } from '../../http/byteSink.ts';

export interface FrontOptions {
  /** The caller's sink. */
  readonly sink: AnswerSink;
  /** Added to the headers of the answer. */
  readonly headers: () => OutgoingHttpHeaders | undefined;
  /** Called instead of the sink if the answer fails before its start, for example because it cannot be translated. */
  readonly onFailed: (error: ApiError, begun: BilledFailure | undefined) => void;
  /** Called when the answer has ended or was cut off. */
  readonly onEnded: () => void;
}

/** The caller's side of one attempt. Receives the answer, after its translation if there is one. */
export class AnswerFront implements AnswerSink {
  /** The caller's sink, unless another upstream is asked. */
  direct: ByteSink | undefined;
  readonly #options: FrontOptions;
  #hasBegun = false;
  #count: UsageCount | undefined;
  #isClosed = false;

  constructor(options: FrontOptions) {
    this.#options = options;
    this.direct = options.sink;
  }

  /** Ignores everything that still arrives, because another upstream is asked. */
  close(): void {
    this.#isClosed = true;
    this.direct = undefined;
  }

  /** Passes on the failure of this attempt, because no other attempt was better. */
  reopen(): void {
    this.#isClosed = false;
    this.direct = this.#options.sink;
    this.#hasBegun = true;
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    if (this.#isClosed) return;
    this.#hasBegun = true;
    const added = this.#options.headers();
    this.#options.sink.start(status, added === undefined ? headers : { ...headers, ...added });
  }

  data(chunk: Buffer): boolean {
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

  /** Usage of an answer that could be read but not translated. */
  #begun(): BilledFailure | undefined {
    if (this.#count === undefined || this.#count.isEstimated) return undefined;
    return { usage: this.#count.usage, ...(this.#count.isPartial !== true && { isWhole: true }) };
  }
}

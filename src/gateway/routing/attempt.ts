import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import type { AnswerSink, UsageCount } from '../core/upstream.ts';
import type { Circuit } from './circuit.ts';

/** An upstream's refusal, kept back while another upstream is asked. */
export class HeldAnswer {
  readonly #status: number;
  readonly #headers: OutgoingHttpHeaders;
  readonly #sink: AnswerSink;
  readonly #chunks: (Uint8Array | string)[] = [];

  constructor(status: number, headers: OutgoingHttpHeaders, sink: AnswerSink) {
    this.#status = status;
    this.#headers = headers;
    this.#sink = sink;
  }

  add(chunk: Uint8Array | string): void {
    this.#chunks.push(chunk);
  }

  /** Where nobody does better after all. */
  replay(): void {
    this.#sink.start(this.#status, this.#headers);
    for (const chunk of this.#chunks) this.#sink.data(chunk);
    this.#sink.end();
  }
}

export interface AttemptOptions {
  readonly sink: AnswerSink;
  readonly circuit: Circuit;
  /** Whether somebody else could be asked. */
  readonly hasNext: boolean;
  /** Called instead of the sink when this upstream could not answer. */
  readonly onFailed: (failure: HeldAnswer | ApiError) => void;
}

/** One try at one upstream. Passes its answer on unless another upstream may do better. */
export class Attempt implements AnswerSink {
  readonly #options: AttemptOptions;
  #held: HeldAnswer | undefined;
  #started = false;

  constructor(options: AttemptOptions) {
    this.#options = options;
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    const { sink, circuit, hasNext } = this.#options;
    this.#started = true;
    if (status >= 500) circuit.failed();
    else circuit.succeeded();
    if (hasNext && (status === 429 || status >= 500)) this.#held = new HeldAnswer(status, headers, sink);
    else sink.start(status, headers);
  }

  data(chunk: Uint8Array | string): boolean {
    if (this.#held === undefined) return this.#options.sink.data(chunk);
    this.#held.add(chunk);
    return true;
  }

  used(count: UsageCount): void {
    this.#options.sink.used?.(count);
  }

  end(): void {
    if (this.#held === undefined) this.#options.sink.end();
    else this.#options.onFailed(this.#held);
  }

  fail(error: ApiError): void {
    if (this.#started && this.#held === undefined) {
      this.#options.sink.fail(error);
      return;
    }
    if (!this.#started) this.#options.circuit.failed();
    this.#options.onFailed(error);
  }
}

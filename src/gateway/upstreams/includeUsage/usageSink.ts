import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../../formats/apiError.ts';
import type { AnswerSink } from '../../core/upstream.ts';
import { encodingOf, isEventStream } from '../../http/answerHeaders.ts';
import { isPlain } from '../../http/contentEncoding.ts';
import { UsageChunks } from './usageChunks.ts';

/** Removes the usage from an answer whose caller has not asked for it. */
export class UsageSink implements AnswerSink {
  readonly #sink: AnswerSink;
  readonly #hidesUsage: () => boolean;
  #chunks: UsageChunks | undefined;

  /** @param hidesUsage whether to hide the usage from the caller. Called when the answer starts. */
  constructor(sink: AnswerSink, hidesUsage: () => boolean) {
    this.#sink = sink;
    this.#hidesUsage = hidesUsage;
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    const isReadable = isEventStream(headers) && isPlain(encodingOf(headers));
    if (isReadable && this.#hidesUsage()) this.#chunks = new UsageChunks();
    this.#sink.start(status, headers);
  }

  data(chunk: Uint8Array | string): boolean {
    return this.#chunks === undefined ? this.#sink.data(chunk) : this.#pass(this.#chunks.push(chunk));
  }

  end(): void {
    this.#passRest();
    this.#sink.end();
  }

  fail(error: ApiError): void {
    this.#passRest();
    this.#sink.fail(error);
  }

  #pass(bytes: Buffer): boolean {
    return bytes.length === 0 || this.#sink.data(bytes);
  }

  #passRest(): void {
    if (this.#chunks === undefined) return;
    this.#pass(this.#chunks.end());
    const { reported } = this.#chunks;
    if (reported !== undefined) this.#sink.used?.({ ...reported, isEstimated: false });
  }
}

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

  data(chunk: Buffer): boolean {
    const passed = this.#chunks === undefined ? chunk : this.#chunks.push(chunk);
    return passed.length === 0 || this.#sink.data(passed);
  }

  end(): void {
    this.#passRest();
    this.#sink.end();
  }

  fail(error: ApiError): void {
    this.#passRest();
    this.#sink.fail(error);
  }

  #passRest(): void {
    if (this.#chunks === undefined) return;
    const rest = this.#chunks.end();
    if (rest.length > 0) this.#sink.data(rest);
    const { reported } = this.#chunks;
    if (reported !== undefined) this.#sink.used?.({ ...reported, isEstimated: false });
  }
}

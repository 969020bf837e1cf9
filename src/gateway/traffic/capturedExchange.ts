import type { AnswerSink, UpstreamRequest } from '../core/upstream.ts';
import { BODY_PARTS, type BodyPart, type BodySummary } from './protocol.ts';
import { RecordedBody } from './recordedBody.ts';
import { RecordingSink } from './recordingSink.ts';

export interface CaptureOptions {
  /** Milliseconds from the beginning of the exchange. */
  readonly now: () => number;
  /** Asked for all that is to stay in memory. */
  readonly mayKeep: (bytes: number) => boolean;
}

/** The bodies of one exchange: the caller's side, and the upstream's where the two speak different formats. */
export class CapturedExchange {
  readonly #options: CaptureOptions;
  readonly #bodies = new Map<BodyPart, RecordedBody>();
  #isDeleted = false;

  constructor(options: CaptureOptions) {
    this.#options = options;
  }

  get keptBytes(): number {
    return [...this.#bodies.values()].reduce((sum, { keptBytes }) => sum + keptBytes, 0);
  }

  /** Those there are, in the order in which they came about. */
  get summaries(): BodySummary[] {
    return BODY_PARTS.flatMap((part) => {
      const body = this.#bodies.get(part);
      return body === undefined ? [] : [{ part, bytes: body.bytes, keptBytes: body.keptBytes }];
    });
  }

  body(part: BodyPart): RecordedBody | undefined {
    return this.#bodies.get(part);
  }

  /** The caller's request goes to an upstream. @returns the sink for the answer. */
  asked(request: UpstreamRequest, sink: AnswerSink): AnswerSink {
    this.#keepRequest('request', request);
    const { now } = this.#options;
    const tap = (translated: UpstreamRequest, answer: AnswerSink) => this.#translated(translated, answer);
    return new RecordingSink(sink, { body: this.#begin('answer'), now, tap });
  }

  /** Nothing of it is kept any more, and nothing that still comes. */
  delete(): void {
    this.#isDeleted = true;
    this.#bodies.clear();
  }

  /** Of several upstreams that are asked one after the other, the last counts. */
  #translated(request: UpstreamRequest, sink: AnswerSink): AnswerSink {
    this.#keepRequest('upstreamRequest', request);
    return new RecordingSink(sink, { body: this.#begin('upstreamAnswer'), now: this.#options.now });
  }

  #keepRequest(part: BodyPart, { body, headers }: UpstreamRequest): void {
    if (body === undefined) return;
    const recorded = this.#begin(part);
    recorded.encoding = String(headers['content-encoding'] ?? '');
    recorded.add(body, this.#options.now());
  }

  #begin(part: BodyPart): RecordedBody {
    const body = new RecordedBody((bytes) => !this.#isDeleted && this.#options.mayKeep(bytes));
    if (!this.#isDeleted) this.#bodies.set(part, body);
    return body;
  }
}

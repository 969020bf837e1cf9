import type { OutgoingHttpHeaders } from 'node:http';
import { PassingSink } from '../core/passingSink.ts';
import type { AnswerSink, UpstreamRequest } from '../core/upstream.ts';
import { encodingOf } from '../http/headers.ts';
import { BODY_PARTS, type BodyPart, type BodySummary } from './protocol.ts';
import { RecordedBody } from './recordedBody.ts';

interface Recording {
  readonly body: RecordedBody;
  /** Milliseconds since the start of the exchange. */
  readonly now: () => number;
  readonly tap?: NonNullable<AnswerSink['tap']>;
}

/** Records an answer on its way to its sink. */
class RecordingSink extends PassingSink {
  readonly #recording: Recording;

  constructor(sink: AnswerSink, recording: Recording) {
    super(sink);
    this.#recording = recording;
  }

  override start(status: number, headers: OutgoingHttpHeaders): void {
    this.#recording.body.encoding = encodingOf(headers);
    super.start(status, headers);
  }

  override data(chunk: Buffer): boolean {
    this.#recording.body.add(chunk, this.#recording.now());
    return super.data(chunk);
  }

  override tap(request: UpstreamRequest, sink: AnswerSink): AnswerSink {
    return this.#recording.tap?.(request, sink) ?? sink;
  }
}

export interface CaptureOptions {
  /** Milliseconds since the start of the exchange. */
  readonly now: () => number;
  /** Called before bytes are kept in memory. */
  readonly mayKeep: (bytes: number) => boolean;
}

/** The bodies of one exchange: those of the caller, and if the request was translated, those of the upstream. */
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

  /** The existing bodies, in chronological order. */
  get summaries(): BodySummary[] {
    return BODY_PARTS.flatMap((part) => {
      const body = this.#bodies.get(part);
      return body === undefined ? [] : [{ part, bytes: body.bytes, keptBytes: body.keptBytes }];
    });
  }

  body(part: BodyPart): RecordedBody | undefined {
    return this.#bodies.get(part);
  }

  /**
   * Called when the caller's request is sent to an upstream.
   * @returns the sink for the answer.
   */
  asked(request: UpstreamRequest, sink: AnswerSink): AnswerSink {
    this.#keepRequest('request', request);
    const { now } = this.#options;
    const tap = (translated: UpstreamRequest, answer: AnswerSink) => this.#translated(translated, answer);
    return new RecordingSink(sink, { body: this.#begin('answer'), now, tap });
  }

  /** Deletes what was captured, and keeps nothing of what follows. */
  delete(): void {
    this.#isDeleted = true;
    this.#bodies.clear();
  }

  /** If several upstreams are asked one after the other, keeps the bodies of the last one. */
  #translated(request: UpstreamRequest, sink: AnswerSink): AnswerSink {
    this.#keepRequest('upstreamRequest', request);
    return new RecordingSink(sink, { body: this.#begin('upstreamAnswer'), now: this.#options.now });
  }

  #keepRequest(part: BodyPart, { body, headers }: UpstreamRequest): void {
    if (body === undefined) return;
    const recorded = this.#begin(part);
    recorded.encoding = encodingOf(headers);
    recorded.add(body, this.#options.now());
  }

  #begin(part: BodyPart): RecordedBody {
    const body = new RecordedBody((bytes) => !this.#isDeleted && this.#options.mayKeep(bytes));
    if (!this.#isDeleted) this.#bodies.set(part, body);
    return body;
  }
}

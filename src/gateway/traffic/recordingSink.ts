import type { OutgoingHttpHeaders } from 'node:http';
import { PassingSink } from '../core/passingSink.ts';
import type { AnswerSink, UpstreamRequest } from '../core/upstream.ts';
import { encodingOf } from '../http/answerHeaders.ts';
import type { RecordedBody } from './recordedBody.ts';

export interface Recording {
  readonly body: RecordedBody;
  /** Milliseconds since the start of the exchange. */
  readonly now: () => number;
  readonly tap?: NonNullable<AnswerSink['tap']>;
}

/** Records an answer on its way to its sink. */
export class RecordingSink extends PassingSink {
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

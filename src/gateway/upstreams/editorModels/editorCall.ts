import type { ApiError } from '../../../formats/apiError.ts';
import { formatServerSentEvent } from '../../../formats/serverSentEvents.ts';
import { sendApiError } from '../../core/gatewayAnswer.ts';
import type { AnswerSink, UpstreamCall } from '../../core/upstream.ts';
import { editorFormat } from './editorFormat.ts';
import type { EditorEvent } from './editorStream.ts';
import type { AskEditor, EditorAnswer, EditorChatRequest } from './protocol.ts';

/** A chat with one of the editor's models, as a stream in {@link editorFormat}. */
export class EditorModelCall implements UpstreamCall {
  readonly #sink: AnswerSink;
  readonly #model: string;
  readonly #cancel: () => void;
  /** Answers received while the client was slow, because the editor's models cannot be paused. */
  readonly #held: EditorAnswer[] = [];
  #isPaused = false;
  #hasStarted = false;
  #isOver = false;

  constructor(ask: AskEditor, request: EditorChatRequest, sink: AnswerSink) {
    this.#sink = sink;
    this.#model = request.model;
    this.#cancel = ask({ kind: 'chat', request }, (answer) => this.#receive(answer));
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    while (!this.#isPaused && this.#held.length > 0) this.#pass(this.#held.shift());
  }

  cancel(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancel();
  }

  #receive(answer: EditorAnswer): void {
    if (this.#isPaused || this.#held.length > 0) this.#held.push(answer);
    else this.#pass(answer);
  }

  #pass(answer: EditorAnswer | undefined): void {
    if (this.#isOver || answer === undefined) return;
    switch (answer.kind) {
      case 'part':
        this.#start();
        this.#write({ type: 'part', part: answer.part });
        return;
      case 'end':
        this.#start();
        this.#write({ type: 'end' });
        this.#isOver = true;
        this.#sink.end();
        return;
      case 'error':
        this.#fail(answer.error);
        return;
    }
  }

  #start(): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    this.#sink.start(200, { 'content-type': 'text/event-stream' });
    this.#write({ type: 'start', model: this.#model });
  }

  #write(event: EditorEvent): void {
    this.#sink.data(Buffer.from(formatServerSentEvent({ data: JSON.stringify(event) })));
  }

  /**
   * An error before the first byte is sent as a response: the refusal of a model does not mean that the upstream is
   * unavailable.
   */
  #fail(error: ApiError): void {
    this.#isOver = true;
    if (this.#hasStarted) this.#sink.fail(error);
    else sendApiError(this.#sink, editorFormat, error);
  }
}

import { errorText } from '../../display/errorText.ts';
import type { ApiError } from '../../formats/apiError.ts';
import type { AnswerSink, UpstreamCall } from './upstream.ts';

/** A call that starts when something that it needs is ready, unless the client has left by then. */
export class LaterCall implements UpstreamCall {
  #call: UpstreamCall | undefined;
  #isPaused = false;
  #isOver = false;

  /** The sink fails with status 500 when `ready` rejects. */
  constructor(sink: AnswerSink, ready: Promise<void>, start: () => UpstreamCall) {
    ready.then(
      () => this.#start(start),
      (error: unknown) => {
        if (!this.#isOver) sink.fail(internalError(error));
      },
    );
  }

  pause(): void {
    this.#isPaused = true;
    this.#call?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#call?.resume();
  }

  cancel(): void {
    this.#isOver = true;
    this.#call?.cancel();
  }

  closingEvent(error: ApiError): string | undefined {
    return this.#call?.closingEvent?.(error);
  }

  #start(start: () => UpstreamCall): void {
    if (this.#isOver) return;
    this.#call = start();
    if (this.#isPaused) this.#call.pause();
  }
}

export function internalError(error: unknown): ApiError {
  return { kind: 'server', status: 500, message: `The gateway failed: ${errorText(error)}` };
}

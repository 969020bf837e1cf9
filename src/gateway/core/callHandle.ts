import { errorText } from '../../display/errors.ts';
import type { ApiError } from '../../formats/apiError.ts';
import type { AnswerSink, UpstreamCall } from './upstream.ts';

/** A caller's handle of a call that begins later or that is replaced by another call. */
export class CallHandle implements UpstreamCall {
  #call: UpstreamCall | undefined;
  #isPaused = false;
  #isCanceled = false;

  get isCanceled(): boolean {
    return this.#isCanceled;
  }

  /** The running call. Undefined before it begins, and between two calls. */
  get call(): UpstreamCall | undefined {
    return this.#call;
  }

  set call(call: UpstreamCall | undefined) {
    this.#call = call;
    if (this.#isPaused) call?.pause();
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
    this.#isCanceled = true;
    this.#call?.cancel();
  }

  closingEvent(error: ApiError): string | undefined {
    return this.#call?.closingEvent?.(error);
  }
}
/** A call that starts when a promise resolves, unless the client has disconnected by then. */
export class LaterCall extends CallHandle {
  /** If `ready` rejects, the sink fails with status 500. */
  constructor(sink: AnswerSink, ready: Promise<void>, start: () => UpstreamCall) {
    super();
    ready.then(
      () => {
        if (!this.isCanceled) this.call = start();
      },
      (error: unknown) => {
        if (!this.isCanceled) sink.fail(internalError(error));
      },
    );
  }
}

export function internalError(error: unknown): ApiError {
  return { kind: 'server', status: 500, message: `The gateway failed: ${errorText(error)}` };
}

import { errorText } from '../../display/errors.ts';
import type { ApiError } from '../../formats/apiError.ts';
import { CallHandle } from './callHandle.ts';
import type { AnswerSink, UpstreamCall } from './upstream.ts';

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

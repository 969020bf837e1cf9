import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import { callerFormat, METHOD_OF_ENDPOINT } from '../core/route.ts';
import type { AnswerSink, UpstreamCall } from '../core/upstream.ts';
import type { Upstreams } from '../routing/upstreams.ts';
import type { AskCommand, WorkerMessage } from './protocol.ts';

/** The sandbox account for the extension's own requests. The sandbox shares one account for all. */
const EDITOR_KEY_ID = 'editor';

/** The extension's own requests to the sandbox, answered over the worker's port, so that they need no listener. */
export class WorkerRequests {
  readonly #upstreams: Upstreams;
  readonly #post: (message: WorkerMessage) => void;
  readonly #calls = new Map<number, UpstreamCall>();

  constructor(upstreams: Upstreams, post: (message: WorkerMessage) => void) {
    this.#upstreams = upstreams;
    this.#post = post;
  }

  async ask({ requestId, endpoint, body }: AskCommand): Promise<void> {
    const sandbox = await this.#upstreams.open({ kind: 'sandbox' });
    const request = {
      endpoint,
      method: METHOD_OF_ENDPOINT[endpoint],
      subpath: '',
      query: '',
      headers: { 'content-type': 'application/json' },
      localKeyId: EDITOR_KEY_ID,
      callerFormat: callerFormat(endpoint, {}),
      ...(body !== undefined && { body: Buffer.from(body) }),
    };
    const call = sandbox.send(request, this.#sink(requestId));
    this.#calls.set(requestId, call);
  }

  /** No message about a canceled answer follows. */
  cancel(requestId: number): void {
    this.#calls.get(requestId)?.cancel();
    this.#calls.delete(requestId);
  }

  #sink(requestId: number): AnswerSink {
    const post = this.#post;
    const over = () => this.#calls.delete(requestId);
    return {
      start: (status: number, headers: OutgoingHttpHeaders) =>
        post({ type: 'answerStart', requestId, status, headers: pairsOf(headers) }),
      data: (chunk: Buffer) => {
        post({ type: 'answerData', requestId, chunk });
        return true;
      },
      end: () => {
        over();
        post({ type: 'answerEnd', requestId });
      },
      fail: (error: ApiError) => {
        over();
        post({ type: 'answerFail', requestId, message: error.message });
      },
    };
  }
}

function pairsOf(headers: OutgoingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : String(value)]],
  );
}

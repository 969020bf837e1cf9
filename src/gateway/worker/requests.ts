import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import { callerFormat, METHOD_OF_ENDPOINT } from '../core/route.ts';
import type { AnswerSink, UpstreamCall } from '../core/upstream.ts';
import { pairsOf } from '../http/headers.ts';
import type { Upstreams } from '../routing/upstreams.ts';
import type { AskCommand, WorkerMessage } from './protocol.ts';
import { RoutedRequests } from './routedRequests.ts';

/** The sandbox account for the extension's own requests. The sandbox shares one account for all. */
const EDITOR_KEY_ID = 'editor';

/** The extension's own requests to the sandbox and to routes, answered over the worker's port, so that they need no listener. */
export class WorkerRequests {
  readonly #upstreams: Upstreams;
  readonly #post: (message: WorkerMessage) => void;
  readonly #calls = new Map<number, UpstreamCall>();
  readonly #routed: RoutedRequests;

  constructor(upstreams: Upstreams, post: (message: WorkerMessage) => void) {
    this.#upstreams = upstreams;
    this.#post = post;
    this.#routed = new RoutedRequests(upstreams, post);
  }

  async ask({ requestId, endpoint, body, route }: AskCommand): Promise<void> {
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
    if (route !== undefined) return this.#routed.ask(requestId, route, request);
    const sandbox = await this.#upstreams.open({ kind: 'sandbox' });
    const call = sandbox.send(request, this.#sink(requestId));
    this.#calls.set(requestId, call);
  }

  /** No message about a canceled answer follows. */
  cancel(requestId: number): void {
    if (this.#routed.cancel(requestId)) return;
    this.#calls.get(requestId)?.cancel();
    this.#calls.delete(requestId);
  }

  close(): Promise<void> {
    return this.#routed.close();
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

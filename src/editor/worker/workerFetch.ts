import type { Endpoint } from '../../gateway/core/upstream.ts';
import type { WorkerAnswer } from '../../gateway/worker/protocol.ts';
import type { RoutedFacts } from '../../ledger/routedFacts.ts';
import type { AskWorker, WorkerQuestion } from './workerRpc.ts';

/** A request whose model is a route. */
interface RoutedRequest extends Required<Pick<WorkerQuestion, 'route'>> {
  /** Called when the answer begins, and when it has ended. */
  readonly onFacts: (facts: RoutedFacts) => void;
}

/** This host name is never resolved: requests to it go over the worker's port. */
export const WORKER_ADDRESS = 'https://sandbox/api/v1';

/**
 * A `fetch` that sends to the sandbox in the worker, or to its router. The extension's own client uses it, so that these
 * requests take the same code path as requests to the service, and no port is opened.
 */
export function createWorkerFetch(ask: AskWorker, routed?: RoutedRequest): typeof globalThis.fetch {
  return (input, init) => {
    const endpoint = String(input).slice(WORKER_ADDRESS.length) as Endpoint;
    const body = typeof init?.body === 'string' ? init.body : undefined;
    const signal = init?.signal ?? undefined;
    return new Promise<Response>((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const answer = new WorkerResponse(resolve, reject);
      const route = routed && { route: routed.route };
      const cancel = ask({ endpoint, ...(body !== undefined && { body }), ...route }, (message) => {
        if ('facts' in message && message.facts !== undefined) routed?.onFacts(message.facts);
        answer.receive(message);
      });
      answer.onCancel = cancel;
      signal?.addEventListener('abort', () => {
        cancel();
        answer.abort(signal.reason);
      });
    });
  };
}

/** Turns the messages of one answer into a Response with a streaming body. */
class WorkerResponse {
  readonly #resolve: (response: Response) => void;
  readonly #reject: (reason: unknown) => void;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isOver = false;
  onCancel: () => void = () => undefined;

  constructor(resolve: (response: Response) => void, reject: (reason: unknown) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  receive(message: WorkerAnswer): void {
    if (this.#isOver) return;
    switch (message.type) {
      case 'answerStart':
        this.#resolve(new Response(this.#openBody(), { status: message.status, headers: message.headers }));
        return;
      case 'answerData':
        this.#body?.enqueue(message.chunk);
        return;
      case 'answerEnd':
        this.#isOver = true;
        this.#body?.close();
        return;
      case 'answerFail':
        this.abort(new TypeError(message.message));
        return;
    }
  }

  /** Rejects the fetch before the head has arrived, and errors the body after it, as a network fetch does. */
  abort(reason: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#body === undefined) this.#reject(reason);
    else this.#body.error(reason);
  }

  #openBody(): ReadableStream<Uint8Array> {
    return new ReadableStream({
      start: (controller) => {
        this.#body = controller;
      },
      cancel: () => {
        this.#isOver = true;
        this.onCancel();
      },
    });
  }
}

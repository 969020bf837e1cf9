import type { Endpoint } from '../../gateway/core/upstream.ts';
import type { WorkerAnswer } from '../../gateway/worker/protocol.ts';
import type { AskSandbox } from './workerRpc.ts';

/** This host name is never resolved: requests to it go over the worker's port. */
export const SANDBOX_ADDRESS = 'https://sandbox/api/v1';

/**
 * A `fetch` that sends to the sandbox in the worker. The extension's own client uses it, so that requests to the
 * sandbox take the same code path as requests to the service, and no port is opened.
 */
export function createSandboxFetch(ask: AskSandbox): typeof globalThis.fetch {
  return (input, init) => {
    const endpoint = endpointOf(String(input));
    const body = typeof init?.body === 'string' ? init.body : undefined;
    const signal = init?.signal ?? undefined;
    return new Promise<Response>((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const answer = new SandboxResponse(resolve, reject);
      const cancel = ask({ endpoint, ...(body !== undefined && { body }) }, (message) => answer.receive(message));
      answer.onCancel = cancel;
      signal?.addEventListener('abort', () => {
        cancel();
        answer.abort(signal.reason);
      });
    });
  };
}

function endpointOf(address: string): Endpoint {
  return address.slice(SANDBOX_ADDRESS.length) as Endpoint;
}

/** Turns the messages of one answer into a Response with a streaming body. */
class SandboxResponse {
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

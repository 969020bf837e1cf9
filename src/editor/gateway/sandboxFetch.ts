import type { Endpoint } from '../../gateway/core/upstream.ts';
import type { AnswerMessage } from '../../gateway/worker/protocol.ts';
import type { AskSandbox } from './workerRpc.ts';

/** No name server is asked for it: what is sent here goes over the worker's port. */
export const SANDBOX_ADDRESS = 'https://sandbox/api/v1';

/**
 * A `fetch` whose other end is the sandbox in the worker. The extension's own client uses it, so that in the sandbox it
 * takes the same road as with the service up to the last step, and no port is opened for it.
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
      const answer = new SandboxAnswer(resolve, reject);
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

/** One answer as it comes over the port, made into a Response with a body that streams. */
class SandboxAnswer {
  readonly #resolve: (response: Response) => void;
  readonly #reject: (reason: unknown) => void;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isOver = false;
  onCancel: () => void = () => undefined;

  constructor(resolve: (response: Response) => void, reject: (reason: unknown) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  receive(message: AnswerMessage): void {
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

  /** Before the head the fetch rejects, after it the body breaks; as a network's fetch does. */
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

import type { AnswerMessage, HostMessage } from '../../gateway/worker/protocol.ts';
import type { SandboxPort, SandboxQuestion } from './sandboxFetch.ts';

/** The extension's own requests to the sandbox in the worker that are under way. */
export class SandboxRequests implements SandboxPort {
  readonly #send: (message: HostMessage) => void;
  /** Who hears the answers. */
  readonly #receivers = new Map<number, (message: AnswerMessage) => void>();
  #lastRequestId = 0;

  constructor(send: (message: HostMessage) => void) {
    this.#send = send;
  }

  ask(question: SandboxQuestion, receive: (message: AnswerMessage) => void): () => void {
    this.#lastRequestId += 1;
    const requestId = this.#lastRequestId;
    this.#receivers.set(requestId, receive);
    this.#send({ type: 'ask', requestId, ...question });
    return () => {
      if (this.#receivers.delete(requestId)) this.#send({ type: 'cancel', requestId });
    };
  }

  receive(message: AnswerMessage): void {
    this.#receivers.get(message.requestId)?.(message);
    if (message.type === 'answerEnd' || message.type === 'answerFail') this.#receivers.delete(message.requestId);
  }

  /** The worker has ended. */
  lose(message: string): void {
    for (const requestId of [...this.#receivers.keys()]) this.receive({ type: 'answerFail', requestId, message });
  }
}

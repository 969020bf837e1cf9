import type { PageTransport } from '../../../src/pages/page.ts';

/** A host without an editor. It records the page's messages and answers them with a script. */
export class ScriptedTransport<ToPage, ToHost> implements PageTransport<ToPage, ToHost> {
  readonly posted: ToHost[] = [];
  readonly #answer: (message: ToHost, send: (message: ToPage) => void) => void;
  #receive: ((message: ToPage) => void) | undefined;

  constructor(answer: (message: ToHost, send: (message: ToPage) => void) => void) {
    this.#answer = answer;
  }

  post(message: ToHost): void {
    this.posted.push(message);
    this.#answer(message, (answer) => this.send(answer));
  }

  send(message: ToPage): void {
    this.#receive?.(message);
  }

  listen(receive: (message: ToPage) => void): () => void {
    this.#receive = receive;
    return () => {
      this.#receive = undefined;
    };
  }

  kept(): undefined {
    return undefined;
  }

  keep(): void {
    // State is not stored: each page of the gallery starts from its own state.
  }
}

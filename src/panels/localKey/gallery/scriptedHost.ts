import type {
  KeyPageHostMessage,
  KeyPageMessage,
  KeyPageState,
  KeyPageTransport,
} from '../../../editor/localKeys/keyPage/protocol.ts';

/** A host without an editor: it gives one state, creates every key, and takes down what the page asks for. */
export class ScriptedHost implements KeyPageTransport {
  readonly posted: KeyPageMessage[] = [];
  readonly #state: KeyPageState;
  #receive: ((message: KeyPageHostMessage) => void) | undefined;

  constructor(state: KeyPageState) {
    this.#state = state;
  }

  post(message: KeyPageMessage): void {
    this.posted.push(message);
    if (message.type === 'ready') this.tell({ type: 'state', state: this.#state });
    if (message.type === 'create') {
      this.tell({ type: 'problems', problems: {} });
      this.tell({ type: 'created', name: message.form.name, secret: 'key_sample' });
    }
  }

  tell(message: KeyPageHostMessage): void {
    this.#receive?.(message);
  }

  listen(receive: (message: KeyPageHostMessage) => void): () => void {
    this.#receive = receive;
    return () => {
      this.#receive = undefined;
    };
  }

  kept(): undefined {
    return undefined;
  }

  keep(): void {
    // Each page of the gallery begins anew.
  }
}

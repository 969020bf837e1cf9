import { signal } from '@preact/signals';
import type {
  KeyForm,
  KeyFormField,
  KeyPageHostMessage,
  KeyPageMessage,
  KeyPageState,
  KeyPageTransport,
} from '../../editor/localKeys/keyPage/protocol.ts';
import { FormProblems } from '../shared/formProblems.ts';
import { storeContext } from '../shared/storeContext.tsx';

const EMPTY: KeyForm = {
  name: '',
  unit: 'usd',
  budgets: { daily: '', monthly: '', total: '' },
  requestsPerMinute: '',
  parallel: '',
  tokensPerMinute: '',
  sessionDollars: '',
  patterns: '',
  expiry: 'never',
  date: '',
};

/** The form of the page, its problems, and the key that was created. */
export class KeyStore {
  /** Undefined until the host's first message. */
  readonly state = signal<KeyPageState | undefined>(undefined);
  readonly form = signal<KeyForm>(EMPTY);
  readonly problems = new FormProblems<KeyFormField>();
  readonly created = signal<{ readonly name: string; readonly secret: string } | undefined>(undefined);
  readonly #transport: KeyPageTransport;

  constructor(transport: KeyPageTransport) {
    this.#transport = transport;
  }

  /**
   * Starts to listen and requests the state.
   * @returns a function that stops listening.
   */
  start(): () => void {
    const stop = this.#transport.listen((message) => this.#receive(message));
    this.post({ type: 'ready' });
    return stop;
  }

  post(message: KeyPageMessage): void {
    this.#transport.post(message);
  }

  change(change: Partial<KeyForm>): void {
    this.form.value = { ...this.form.value, ...change };
    if (this.problems.isShown) this.post({ type: 'check', form: this.form.value });
  }

  /** Removes the list of models, so that the key allows all models. */
  allowAllModels(): void {
    const { models: _, ...form } = this.form.value;
    this.form.value = form;
  }

  /** Called when the field has lost the focus. Its problem is shown from now on. */
  leave(field: KeyFormField): void {
    this.problems.leave(field);
    this.post({ type: 'check', form: this.form.value });
  }

  create(): void {
    if (this.created.value !== undefined) return;
    this.problems.submit();
    this.post({ type: 'create', form: this.form.value });
  }

  #receive(message: KeyPageHostMessage): void {
    switch (message.type) {
      case 'state':
        this.state.value = message.state;
        break;
      case 'problems':
        this.problems.take(message.problems);
        break;
      case 'created':
        this.created.value = { name: message.name, secret: message.secret };
        break;
    }
  }
}

export const [StoreProvider, useStore] = storeContext<KeyStore>();

import { computed, signal } from '@preact/signals';
import type { KeyPageMessage, KeyPageTransport } from '../../pages/localKey/keyMessages.ts';
import type { KeyForm, KeyFormField, KeyPageHostMessage, KeyPageState } from '../../pages/localKey/protocol.ts';
import { FormProblems } from '../shared/formProblems.ts';
import { storeContext } from '../shared/storeContext.tsx';

const EMPTY: KeyForm = {
  name: '',
  unit: 'usd',
  budgets: { daily: '', monthly: '', total: '' },
  lowersLimits: true,
  requestsPerMinute: '',
  parallel: '',
  tokensPerMinute: '',
  sessionDollars: '',
  patterns: '',
  secrets: 'default',
  expiry: 'never',
  date: '',
};

interface CreatedKey {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
}

/** The form of the page, its problems, and the key that was created. */
export class KeyStore {
  /** Undefined until the host's first message. */
  readonly state = signal<KeyPageState | undefined>(undefined);
  readonly form = signal<KeyForm>(EMPTY);
  readonly problems = new FormProblems<KeyFormField>();
  readonly created = signal<CreatedKey | undefined>(undefined);
  /** Whether the fields differ from the created key. */
  readonly isChanged = computed(() => this.created.value !== undefined && this.form.value !== this.#saved.value);
  /** Whether changes of the created key were saved. */
  readonly wasChanged = signal(false);
  /** The fields of the created key. */
  readonly #saved = signal<KeyForm | undefined>(undefined);
  /** The fields that were sent to be created or saved. */
  #sent: KeyForm = EMPTY;
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
    if (this.problems.isShown) this.#check();
  }

  /** Removes the list of models, so that the key allows all models. */
  allowAllModels(): void {
    const { models: _, ...form } = this.form.value;
    this.form.value = form;
  }

  /** Called when the field has lost the focus. Its problem is shown from now on. */
  leave(field: KeyFormField): void {
    this.problems.leave(field);
    this.#check();
  }

  /** Creates the key, or saves the changes of the created key. */
  submit(): void {
    const key = this.created.value;
    if (key !== undefined && !this.isChanged.value) return;
    this.problems.submit();
    this.#sent = this.form.value;
    if (key === undefined) this.post({ type: 'create', form: this.#sent });
    else this.post({ type: 'change', form: this.#sent, id: key.id });
  }

  #check(): void {
    const key = this.created.value;
    this.post({ type: 'check', form: this.form.value, ...(key !== undefined && { id: key.id }) });
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
        this.#saved.value = this.#sent;
        this.created.value = { id: message.id, name: message.name, secret: message.secret };
        break;
      case 'changed':
        this.#saved.value = this.#sent;
        this.wasChanged.value = true;
        if (this.created.value !== undefined) this.created.value = { ...this.created.value, name: message.name };
        break;
    }
  }
}

export const [StoreProvider, useStore] = storeContext<KeyStore>();

import { signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type {
  KeyForm,
  KeyFormField,
  KeyFormProblems,
  KeyPageHostMessage,
  KeyPageMessage,
  KeyPageState,
  KeyPageTransport,
} from '../../editor/localKeys/keyPage/protocol.ts';

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

/** The form of the page, what is wrong with it, and the key that was made of it. */
export class KeyStore {
  /** Undefined until the host's first message. */
  readonly state = signal<KeyPageState | undefined>(undefined);
  readonly form = signal<KeyForm>(EMPTY);
  /** Fields that were left, whose problems are shown. */
  readonly left = signal<ReadonlySet<KeyFormField>>(new Set());
  readonly problems = signal<KeyFormProblems>({});
  readonly created = signal<{ readonly name: string; readonly secret: string } | undefined>(undefined);
  /** Incremented when the first wrong field gets the focus. */
  readonly refusals = signal(0);
  readonly #transport: KeyPageTransport;
  #isCreating = false;

  constructor(transport: KeyPageTransport) {
    this.#transport = transport;
  }

  /** Starts to listen and asks for the state. @returns a function that ends it. */
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
    if (this.left.value.size > 0) this.post({ type: 'check', form: this.form.value });
  }

  /** A key for all models again. */
  allowAllModels(): void {
    const { models: _, ...form } = this.form.value;
    this.form.value = form;
  }

  /** The field has lost the focus: what is wrong with it shows from now on. */
  leave(field: KeyFormField): void {
    this.left.value = new Set([...this.left.value, field]);
    this.post({ type: 'check', form: this.form.value });
  }

  create(): void {
    if (this.created.value !== undefined) return;
    this.#isCreating = true;
    this.post({ type: 'create', form: this.form.value });
  }

  /** What is shown of the problems. */
  problemOf(field: KeyFormField): string | undefined {
    return this.left.value.has(field) ? this.problems.value[field] : undefined;
  }

  #receive(message: KeyPageHostMessage): void {
    switch (message.type) {
      case 'state':
        this.state.value = message.state;
        break;
      case 'problems':
        this.#take(message.problems);
        break;
      case 'created':
        this.created.value = { name: message.name, secret: message.secret };
        break;
    }
  }

  #take(problems: KeyFormProblems): void {
    this.problems.value = problems;
    const fields = Object.keys(problems) as KeyFormField[];
    if (!this.#isCreating) return;
    this.#isCreating = false;
    this.left.value = new Set([...this.left.value, ...fields]);
    if (fields.length > 0) this.refusals.value += 1;
  }
}

export const StoreContext = createContext<KeyStore | undefined>(undefined);

export function useStore(): KeyStore {
  const store = useContext(StoreContext);
  if (store === undefined) throw new Error('There is no store around this component.');
  return store;
}

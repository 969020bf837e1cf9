import { computed, signal } from '@preact/signals';
import type { KeyPageMessage } from '../../pages/localKey/keyMessages.ts';
import type { KeyForm, KeyFormField, KeyPageHostMessage, KeyPageState } from '../../pages/localKey/protocol.ts';
import { FormProblems } from '../shared/formProblems.ts';
import { PageStore, storeContext } from '../shared/pageStore.ts';

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

/** The key that the page has created, or that it was opened for. */
interface ShownKey {
  readonly id: string;
  readonly name: string;
  /** Undefined for a key that the page has not created. */
  readonly secret?: string;
}

/** The form of the page, its problems, and the key that was created. */
export class KeyStore extends PageStore<KeyPageHostMessage, KeyPageMessage> {
  /** Undefined until the host's first message. */
  readonly state = signal<KeyPageState | undefined>(undefined);
  readonly form = signal<KeyForm>(EMPTY);
  readonly problems = new FormProblems<KeyFormField>();
  readonly key = signal<ShownKey | undefined>(undefined);
  /** Budgets of the key that the fields cannot show. */
  readonly hiddenBudgets = signal<readonly string[]>([]);
  /** The field that gets the focus when the page is filled in. */
  readonly focus = signal<'name' | 'daily'>('name');
  /** Whether the fields differ from the key. */
  readonly isChanged = computed(() => this.key.value !== undefined && !isSame(this.form.value, this.#saved.value));
  /** Whether changes of the key were saved. */
  readonly wasChanged = signal(false);
  /** The fields of the key as it is. */
  readonly #saved = signal<KeyForm | undefined>(undefined);

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

  /** Creates the key, or saves the changes of an existing one. */
  submit(): void {
    const key = this.key.value;
    if (key !== undefined && !this.isChanged.value) return;
    this.problems.submit();
    const form = this.form.value;
    if (key === undefined) this.post({ type: 'create', form });
    else this.post({ type: 'change', form, id: key.id });
  }

  #check(): void {
    const key = this.key.value;
    this.post({ type: 'check', form: this.form.value, ...(key !== undefined && { id: key.id }) });
  }

  protected override receive(message: KeyPageHostMessage): void {
    switch (message.type) {
      case 'state':
        this.state.value = message.state;
        break;
      case 'edit':
        this.form.value = message.form;
        this.#saved.value = message.form;
        this.key.value = { id: message.id, name: message.form.name };
        this.hiddenBudgets.value = message.hiddenBudgets;
        this.focus.value = message.focus;
        this.wasChanged.value = false;
        this.problems.clear();
        break;
      case 'problems':
        this.problems.take(message.problems);
        break;
      case 'created':
        this.#saved.value = message.form;
        this.key.value = { id: message.id, name: message.name, secret: message.secret };
        break;
      case 'changed':
        this.#saved.value = message.form;
        this.wasChanged.value = true;
        if (this.key.value !== undefined) this.key.value = { ...this.key.value, name: message.name };
        break;
    }
  }
}

/** Forms are plain objects, whose members keep their order. */
function isSame(one: KeyForm, other: KeyForm | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export const [StoreProvider, useStore] = storeContext<KeyStore>();

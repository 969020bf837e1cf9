import { computed, signal } from '@preact/signals';
import type { ConnectPageMessage } from '../../pages/connectTool/connectMessages.ts';
import type {
  CheckName,
  ConnectField,
  ConnectForm,
  ConnectHostMessage,
  ConnectModel,
  ConnectOutcome,
  ConnectPreview,
  ConnectState,
  ConnectTool,
  ToolCheck,
} from '../../pages/connectTool/protocol.ts';
import { FormProblems } from '../shared/formProblems.ts';
import { PageStore, storeContext } from '../shared/pageStore.ts';

const EMPTY: ConnectForm = {
  tool: '',
  model: '',
  name: '',
  budget: '',
  period: 'monthly',
  sessionDollars: '',
  addsAliases: true,
};

/** The form of the page, a preview of the changes, and the result of connecting. */
export class ConnectStore extends PageStore<ConnectHostMessage, ConnectPageMessage, ConnectForm> {
  /** Undefined until the host's first message. */
  readonly state = signal<ConnectState | undefined>(undefined);
  readonly form = signal<ConnectForm>(EMPTY);
  /** Undefined until the host has previewed the form of the chosen tool. */
  readonly preview = signal<ConnectPreview | undefined>(undefined);
  readonly check = signal<ToolCheck | undefined>(undefined);
  readonly isBusy = signal(false);
  readonly outcome = signal<ConnectOutcome>({ kind: 'none' });
  readonly problems = new FormProblems<ConnectField>();
  readonly tool = computed<ConnectTool | undefined>(() =>
    this.state.value?.tools.find(({ id }) => id === this.form.value.tool),
  );
  /** Whether the tool is connected with exactly these values, to the gateway's current address. */
  readonly isDone = computed(() => {
    const tool = this.tool.value;
    return tool?.isConnected === true && !tool.isStale && isSame(tool.form, this.form.value);
  });
  /** Whether amounts of the page are the sandbox's sample money. */
  readonly showsSampleMoney = computed(
    () =>
      this.state.value?.isSample === true ||
      Object.values(this.check.value?.rows ?? {}).some(({ isSample }) => isSample === true),
  );
  /** Whether the file can be written. */
  readonly canWrite = computed(
    () => this.preview.value !== undefined && this.preview.value.file?.problem === undefined,
  );
  /** The number of the last requested preview. */
  #number = 0;

  /**
   * Selects a tool. A connected tool starts with its own values; others keep the values chosen for the previous tool.
   */
  choose({ isConnected, form }: ConnectTool): void {
    const { model, budget, period, sessionDollars } = this.form.value;
    const keepsValues = !isConnected && this.tool.value?.isConnected === false;
    this.#begin(keepsValues ? { ...form, model, budget, period, sessionDollars } : form);
    this.outcome.value = { kind: 'none' };
  }

  change(change: Partial<ConnectForm>): void {
    this.#setForm({ ...this.form.value, ...change });
    this.outcome.value = { kind: 'none' };
    this.askPreview();
  }

  askPreview(): void {
    this.#number += 1;
    this.post({ type: 'preview', number: this.#number, form: this.form.value });
  }

  connect(): void {
    if (this.isBusy.value || this.isDone.value || !this.canWrite.value) return;
    this.isBusy.value = true;
    this.problems.submit();
    this.askPreview();
    this.post({ type: 'connect', form: this.form.value });
  }

  disconnect(): void {
    if (this.isBusy.value) return;
    this.isBusy.value = true;
    this.post({ type: 'disconnect', tool: this.form.value.tool });
  }

  runCheck(): void {
    this.post({ type: 'check', tool: this.form.value.tool });
  }

  modelOf(id: string): ConnectModel | undefined {
    return this.state.value?.models.find((model) => model.id === id);
  }

  /** Whether all steps of the check have passed. */
  isChecked(names: readonly CheckName[]): boolean {
    const rows = this.check.value?.rows;
    return rows !== undefined && names.every((name) => rows[name].state === 'passed');
  }

  #begin(form: ConnectForm): void {
    if (form.tool !== this.form.value.tool) this.preview.value = undefined;
    this.#setForm(form);
    this.check.value = undefined;
    this.problems.clear();
    this.askPreview();
  }

  protected override receive(message: ConnectHostMessage): void {
    switch (message.type) {
      case 'state':
        this.#takeState(message.state);
        break;
      case 'preview':
        if (message.number !== this.#number) return;
        this.preview.value = message.preview;
        this.problems.take(message.preview.problems);
        break;
      case 'check':
        if (message.check.tool === this.form.value.tool) this.check.value = message.check;
        break;
      case 'outcome':
        this.#takeOutcome(message.outcome);
        break;
    }
  }

  /**
   * Updates the state. Tools are also connected and disconnected elsewhere, and the address changes when the gateway
   * starts.
   */
  #takeState(state: ConnectState): void {
    const before = this.tool.value;
    this.state.value = state;
    const now = this.tool.value;
    if (now === undefined) this.#beginFirst(state);
    else if (before?.isConnected === now.isConnected || this.isBusy.value) this.askPreview();
    else this.#begin(now.form);
  }

  #beginFirst(state: ConnectState): void {
    const kept = this.transport.kept();
    const form = state.tools.some(({ id }) => id === kept?.tool) ? kept : firstForm(state);
    if (form !== undefined) this.#begin(form);
  }

  #setForm(form: ConnectForm): void {
    this.form.value = form;
    this.transport.keep(form);
  }

  #takeOutcome(outcome: ConnectOutcome): void {
    this.isBusy.value = false;
    this.outcome.value = outcome;
    const { kind } = outcome;
    if (this.tool.value === undefined || kind === 'none') return;
    if (kind === 'failed') this.askPreview();
    else this.#begin(this.tool.value.form);
    if (kind === 'connected') this.runCheck();
  }
}

/** Returns the form of the first tool that was found, of those that are not connected if there are any. */
function firstForm({ tools }: ConnectState): ConnectForm | undefined {
  const found = tools.filter(({ isFound }) => isFound);
  return (found.find(({ isConnected }) => !isConnected) ?? found[0])?.form;
}

function isSame(a: ConnectForm, b: ConnectForm): boolean {
  return (Object.keys(a) as (keyof ConnectForm)[]).every((name) => a[name] === b[name]);
}

export const [StoreProvider, useStore] = storeContext<ConnectStore>();

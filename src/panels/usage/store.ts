import { type ReadonlySignal, signal } from '@preact/signals';
import type {
  ExportFormat,
  KeptUsage,
  PeriodChoice,
  TrafficFilter,
  UsageHostMessage,
  UsageState,
  UsageTab,
} from '../../pages/usage/protocol.ts';
import type { UsagePageMessage } from '../../pages/usage/usageMessages.ts';
import { PageStore, storeContext } from '../shared/pageStore.ts';
import { SeriesColors } from './series.ts';

const MINUTE_MS = 60_000;

/** The state of the page and the actions of its user. */
export class UsageStore extends PageStore<UsageHostMessage, UsagePageMessage, KeptUsage> {
  /** A model keeps its color while the page is open. */
  readonly colors = new SeriesColors();
  readonly #state = signal<UsageState | undefined>(undefined);
  /** Undefined until the host's first message. */
  readonly state: ReadonlySignal<UsageState | undefined> = this.#state;
  readonly #tab = signal<UsageTab>('spend');
  readonly tab: ReadonlySignal<UsageTab> = this.#tab;
  /** The rendered state as JSON, rounded to the minute. */
  #taken = '';

  protected override ready(): UsagePageMessage {
    const { choice, tab = 'spend' } = this.transport.kept() ?? {};
    this.#tab.value = tab;
    return { type: 'ready', ...(choice !== undefined && { choice }) };
  }

  /** Applies a state. An unchanged state is not rendered again: the host often answers `ready` with the same state. */
  protected override receive({ state }: UsageHostMessage): void {
    const text = JSON.stringify({ ...state, now: Math.floor(state.now / MINUTE_MS) });
    if (text === this.#taken) return;
    this.#taken = text;
    this.#state.value = state;
  }

  choosePeriod(choice: PeriodChoice): void {
    this.#keep({ choice });
    this.post({ type: 'choosePeriod', choice });
  }

  /** A table has what the chosen tab shows. */
  export(format: ExportFormat): void {
    this.post({ type: 'export', format, isOfContexts: this.#tab.value === 'contexts' });
  }

  chooseTab(tab: UsageTab): void {
    this.#tab.value = tab;
    this.#keep({ tab });
  }

  #keep(changed: KeptUsage): void {
    this.transport.keep({ ...this.transport.kept(), ...changed });
  }

  openTraffic(filter: TrafficFilter): void {
    this.post({ type: 'openTraffic', filter });
  }
}

export const [StoreProvider, useStore] = storeContext<UsageStore>();

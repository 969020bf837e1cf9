import { type ReadonlySignal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type {
  ExportFormat,
  KeptUsage,
  PeriodChoice,
  TrafficFilter,
  UsageHostMessage,
  UsageState,
  UsageTab,
} from '../../pages/usage/protocol.ts';
import type { UsagePageMessage, UsageTransport } from '../../pages/usage/usageMessages.ts';
import { SeriesColors } from './series.ts';

const MINUTE_MS = 60_000;

/** The state of the page and the actions of its user. */
export class UsageStore {
  /** Undefined until the host's first message. */
  readonly state: ReadonlySignal<UsageState | undefined>;
  /** A model keeps its color while the page is open. */
  readonly colors = new SeriesColors();
  readonly #state = signal<UsageState | undefined>(undefined);
  readonly #tab = signal<UsageTab>('spend');
  readonly tab: ReadonlySignal<UsageTab> = this.#tab;
  readonly #transport: UsageTransport;
  /** The rendered state as JSON, rounded to the minute. */
  #taken = '';

  constructor(transport: UsageTransport) {
    this.#transport = transport;
    this.state = this.#state;
  }

  /**
   * Starts to listen and requests the state.
   * @returns a function that stops listening.
   */
  start(): () => void {
    const stop = this.#transport.listen(({ state }: UsageHostMessage) => this.#take(state));
    const { choice, tab = 'spend' } = this.#transport.kept() ?? {};
    this.#tab.value = tab;
    this.post({ type: 'ready', ...(choice !== undefined && { choice }) });
    return stop;
  }

  /** Applies a state. An unchanged state is not rendered again: the host often answers `ready` with the same state. */
  #take(state: UsageState): void {
    const text = JSON.stringify({ ...state, now: Math.floor(state.now / MINUTE_MS) });
    if (text === this.#taken) return;
    this.#taken = text;
    this.#state.value = state;
  }

  post(message: UsagePageMessage): void {
    this.#transport.post(message);
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
    this.#transport.keep({ ...this.#transport.kept(), ...changed });
  }

  openTraffic(filter: TrafficFilter): void {
    this.post({ type: 'openTraffic', filter });
  }
}

export const StoreContext = createContext<UsageStore | undefined>(undefined);

export function useStore(): UsageStore {
  const store = useContext(StoreContext);
  if (store === undefined) throw new Error('There is no store around this component.');
  return store;
}

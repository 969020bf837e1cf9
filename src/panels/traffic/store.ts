import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type {
  BodyPart,
  ExchangeAction,
  KeptTraffic,
  ShownBody,
  TrafficChoice,
  TrafficDetails,
  TrafficHostMessage,
  TrafficRow,
  ViewContext,
} from '../../pages/traffic/protocol.ts';
import type { TrafficPageMessage } from '../../pages/traffic/trafficMessages.ts';
import type { BilledContext } from '../../rules/contextPart.ts';
import { PageStore, storeContext } from '../shared/pageStore.ts';
import { mergedRows, withNewer } from './rows.ts';
import { SessionTree } from './tree/sessionTree.ts';

type List = Omit<Extract<TrafficHostMessage, { type: 'list' }>, 'type' | 'opened'>;

/** The details of the open exchange. */
export interface OpenExchange {
  readonly id: string;
  /** Undefined until the host has answered; null if the details are no longer stored. */
  readonly details: TrafficDetails | null | undefined;
  /** What the request consists of, if it was measured. */
  readonly context?: BilledContext;
  readonly bodies: Readonly<Partial<Record<BodyPart, ShownBody>>>;
}

const DETAILS_MS = 1_000;

/** The state of the page and the actions of its user. */
export class TrafficStore extends PageStore<TrafficHostMessage, TrafficPageMessage, KeptTraffic> {
  readonly #list = signal<List | undefined>(undefined);
  readonly #live = signal<readonly TrafficRow[]>([]);
  readonly #viewContext = signal<ViewContext | undefined>(undefined);
  readonly #open = signal<OpenExchange | undefined>(undefined);
  readonly #isPaused = signal(false);
  /** The exchange that the next opened one is compared with. */
  readonly #compared = signal<TrafficRow | undefined>(undefined);
  /** ID of the row with the keyboard focus in the list. */
  readonly activeId = signal<string | undefined>(undefined);
  /** ID of an exchange that is opened as soon as it is listed. */
  #wanted: string | undefined;
  /** ID of the exchange that was open before the page was hidden. */
  #openedBefore: string | undefined;
  #isReadingMore = false;
  #timer: ReturnType<typeof setInterval> | undefined;

  readonly list: ReadonlySignal<List | undefined> = this.#list;
  readonly viewContext: ReadonlySignal<ViewContext | undefined> = this.#viewContext;
  readonly open: ReadonlySignal<OpenExchange | undefined> = this.#open;
  readonly isPaused: ReadonlySignal<boolean> = this.#isPaused;
  readonly compared: ReadonlySignal<TrafficRow | undefined> = this.#compared;
  readonly rows = computed(() => mergedRows(this.#list.value?.rows ?? [], this.#live.value));
  readonly running = computed(() => this.rows.value.filter(({ end }) => end === undefined).length);
  readonly tree = new SessionTree((message) => this.post(message), this.#live);
  readonly openRow = computed(() => {
    const id = this.#open.value?.id;
    if (id === undefined) return undefined;
    return this.rows.value.find((row) => row.id === id) ?? this.tree.find(id);
  });

  protected override ready(): TrafficPageMessage {
    const { choice, opened } = this.transport.kept() ?? {};
    this.#openedBefore = opened;
    return { type: 'ready', ...(choice !== undefined && { choice }) };
  }

  /** Returns the current filter of the list. */
  get choice(): TrafficChoice {
    return this.#list.value?.choice ?? {};
  }

  choose(choice: TrafficChoice): void {
    this.#keep(choice);
    this.post({ type: 'choose', choice });
  }

  /** Requests more rows when the list was scrolled near its end. */
  readMore(): void {
    const list = this.#list.value;
    const last = list?.rows.findLast(({ number }) => number !== undefined);
    if (this.#isReadingMore || list?.hasMore !== true || last?.number === undefined) return;
    this.#isReadingMore = true;
    this.post({ type: 'more', before: { at: last.at, number: last.number } });
  }

  pause(isPaused: boolean): void {
    this.#isPaused.value = isPaused;
    this.post({ type: 'pause', isPaused });
  }

  openExchange(row: TrafficRow): void {
    this.activeId.value = row.id;
    this.#wanted = undefined;
    const compared = this.#compared.value;
    if (compared !== undefined && compared.id !== row.id) {
      this.#compared.value = undefined;
      this.post({ type: 'compare', rows: [compared, row] });
      return;
    }
    if (this.#open.value?.id === row.id) return;
    this.#open.value = { id: row.id, details: undefined, bodies: {} };
    this.#keep(this.choice);
    this.#readDetails(row.id);
    // A request that has not been entered was not measured yet.
    if (row.number !== undefined) this.post({ type: 'readContext', id: row.id, at: row.at });
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#follow(), DETAILS_MS);
  }

  closeExchange(): void {
    clearInterval(this.#timer);
    this.#open.value = undefined;
    this.#keep(this.choice);
  }

  readBody(part: BodyPart): void {
    const id = this.#open.value?.id;
    if (id !== undefined) this.post({ type: 'readBody', id, part });
  }

  act(action: ExchangeAction, row: TrafficRow): void {
    this.post({ type: 'act', action, row });
  }

  /** Marks an exchange to be compared with the next opened one. */
  compareWith(row: TrafficRow | undefined): void {
    this.#compared.value = row;
  }

  protected override receive(message: TrafficHostMessage): void {
    switch (message.type) {
      case 'list': {
        const { type: _, opened, ...list } = message;
        this.#isReadingMore = false;
        this.#list.value = list;
        this.#wanted = opened ?? this.#openedBefore;
        this.#openedBefore = undefined;
        this.#openWanted();
        this.#keep(list.choice);
        this.tree.reread();
        return;
      }
      case 'older':
        this.#isReadingMore = false;
        this.#change((list) => ({ rows: [...list.rows, ...message.rows], hasMore: message.hasMore }));
        return;
      case 'newer': {
        const { rows, exchanges, cost, sampleCost } = message;
        this.#change((list) => ({ rows: withNewer(list.rows, rows), exchanges, cost, sampleCost }));
        this.tree.add(rows);
        this.#openWanted();
        return;
      }
      case 'sessions':
        this.tree.show(message);
        return;
      case 'sessionRequests':
        this.tree.showRequests(message.sessionId, message);
        return;
      case 'live':
        this.#live.value = message.rows;
        this.#openWanted();
        return;
      case 'bodiesDeleted':
        this.#forgetBodies();
        return;
      case 'viewContext':
        this.#viewContext.value = message.viewContext;
        return;
      case 'details':
        this.#changeOpen(message.id, { details: message.details ?? null });
        return;
      case 'context':
        if (message.context !== undefined) this.#changeOpen(message.id, { context: message.context });
        return;
      case 'body':
        if (message.body !== undefined) this.#addBody(message.id, message.body);
    }
  }

  #keep(choice: TrafficChoice): void {
    const opened = this.#open.value?.id;
    this.transport.keep({ choice, ...(opened !== undefined && { opened }) });
  }

  #openWanted(): void {
    const row = this.#wanted === undefined ? undefined : this.rows.value.find(({ id }) => id === this.#wanted);
    if (row !== undefined) this.openExchange(row);
  }

  #change(changed: (list: List) => Partial<List>): void {
    const list = this.#list.value;
    if (list !== undefined) this.#list.value = { ...list, ...changed(list) };
  }

  #changeOpen(id: string, changed: Partial<OpenExchange>): void {
    const open = this.#open.value;
    if (open?.id === id) this.#open.value = { ...open, ...changed };
  }

  #addBody(id: string, body: ShownBody): void {
    const open = this.#open.value;
    if (open?.id === id) this.#changeOpen(id, { bodies: { ...open.bodies, [body.part]: body } });
  }

  #forgetBodies(): void {
    const open = this.#open.value;
    if (open === undefined) return;
    const details = open.details && { ...open.details, bodies: [] };
    this.#open.value = { ...open, details, bodies: {} };
  }

  /** Updates the open exchange, one last time after its end. */
  #follow(): void {
    const open = this.#open.value;
    if (open === undefined || open.details?.record !== undefined) clearInterval(this.#timer);
    else this.#readDetails(open.id);
  }

  #readDetails(id: string): void {
    this.post({ type: 'readDetails', id });
  }
}

export const [StoreProvider, useStore] = storeContext<TrafficStore>();

import * as vscode from 'vscode';
import { errorText } from '../../display/errors.ts';
import { LiveRows } from '../../pages/traffic/liveRows.ts';
import type { TrafficChoice, TrafficHostMessage, ViewContext } from '../../pages/traffic/protocol.ts';
import { searchTerms } from '../../pages/traffic/searchTerms.ts';
import { shownBody } from '../../pages/traffic/shownBody.ts';
import type { TrafficPageMessage } from '../../pages/traffic/trafficMessages.ts';
import { type ExchangeFilter, isMatch } from '../../rules/exchangeFilter.ts';
import type { TrafficTarget } from '../../rules/trafficChoice.ts';
import { ExchangePages } from './exchangePages.ts';
import { runningRow } from './ownCalls.ts';
import { readDetails } from './recorded.ts';
import type { TrafficServices } from './trafficServices.ts';
import { TrafficSessions } from './trafficSessions.ts';

/** The same interval in milliseconds as the gateway's reports on running requests. */
const FOLLOW_MS = 200;

/** The state of the Traffic tab while it is open. */
export class TrafficSession implements vscode.Disposable {
  readonly #services: TrafficServices;
  readonly #post: (message: TrafficHostMessage) => void;
  readonly #subscriptions: vscode.Disposable[];
  readonly #live = new LiveRows();
  readonly #pages: ExchangePages;
  readonly #sessions: TrafficSessions;
  #choice: TrafficChoice = {};
  /** The ID of an exchange that the page has not opened yet. */
  #opened: string | undefined;
  #keyNames: Readonly<Record<string, string>> = {};
  #isReady = false;
  #isPaused = false;
  #followTimer: NodeJS.Timeout | undefined;
  /** Called after the next read of the ledger, which then contains the exchanges that ended before. */
  #entered: (() => void)[] = [];
  #reading: Promise<void> | undefined;

  constructor(services: TrafficServices, post: (message: TrafficHostMessage) => void) {
    this.#services = services;
    this.#post = post;
    const { worker, gateway, calls, localKeys, settings } = services;
    this.#pages = new ExchangePages(worker.rpc, services.ledger);
    this.#sessions = new TrafficSessions(services, post);
    this.#subscriptions = [
      worker.onDidReportRunning(({ exchanges, calls: ofWindows }) => {
        this.#live.run(exchanges);
        const others = ofWindows.filter(({ id }) => calls.find(id) === undefined);
        // Their window writes them to the ledger before it reports their end.
        if (this.#live.runOtherCalls(others, Date.now())) void this.#readNewer(() => this.#live.forgetLeaving());
        this.#postLive();
      }),
      worker.onDidExchange((record) => {
        this.#live.end(record);
        this.#postLive();
      }),
      worker.onDidEnter((ids) => void this.#readNewer(() => this.#live.entered(ids))),
      calls.onDidBegin(() => this.#followCalls()),
      calls.onDidRecord((entry) => {
        this.#live.endCall(entry);
        this.#postLive();
        void this.#readNewer(() => this.#live.entered([entry.id]));
      }),
      gateway.onDidChange(() => void this.#postViewContext()),
      localKeys.onDidChange(() => void this.#postViewContext()),
      settings.onDidChange(['traffic.captureBodies'], () => {
        if (!settings.captureBodies) this.#post({ type: 'bodiesDeleted' });
        void this.#postViewContext();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.#postViewContext()),
    ];
  }

  async receive(message: TrafficPageMessage): Promise<unknown> {
    const { worker, gateway } = this.#services;
    switch (message.type) {
      case 'ready':
        return this.#begin(message.choice);
      case 'choose':
        return this.#choose(message.choice);
      case 'more':
        return this.#readOlder(message.before);
      case 'readSession':
        return this.#sessions.readRequests(message.sessionId);
      case 'pause':
        return this.#pause(message.isPaused);
      case 'readDetails': {
        this.#opened = undefined;
        const details = await readDetails(this.#services, message.id);
        return this.#post({ type: 'details', id: message.id, ...(details !== undefined && { details }) });
      }
      case 'readContext': {
        const { type: _, ...request } = message;
        const { worker, ledger } = this.#services;
        const context = await worker.rpc.readLedger('requestContext', { ledger, ...request });
        return this.#post({ type: 'context', id: message.id, ...(context !== null && { context }) });
      }
      case 'readBody':
        return this.#readBody(message);
      case 'act': {
        const { act } = await import('./exchangeActions.ts');
        return act(message.action, message.row, this.#services);
      }
      case 'compare': {
        const { compareExchanges } = await import('./comparison.ts');
        return compareExchanges(message.rows, this.#services);
      }
      case 'setCapture':
        return this.#services.settings.set('traffic.captureBodies', message.isOn);
      case 'deleteBodies':
        await worker.rpc.askTraffic({ kind: 'deleteBodies' });
        return this.#post({ type: 'bodiesDeleted' });
      case 'startGateway':
        return gateway.start();
      case 'openSession':
        return vscode.commands.executeCommand('modelAccess.openSession', message.sessionId);
      case 'openUsage':
        return vscode.commands.executeCommand('modelAccess.openUsage');
      case 'openRoutes':
        return vscode.commands.executeCommand('modelAccess.manageRoutes');
    }
  }

  /** Shows another choice, as a command requests it, in a new list. */
  async show({ exchange, ...choice }: TrafficTarget): Promise<void> {
    this.#opened = exchange;
    await this.#choose(choice);
  }

  dispose(): void {
    clearTimeout(this.#followTimer);
    this.#sessions.dispose();
    this.#services.worker.watchTraffic(false);
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  async #choose(choice: TrafficChoice): Promise<void> {
    this.#choice = choice;
    if (this.#isReady) await this.#readList();
  }

  /** A restored page sends what it showed. */
  async #begin(choice: TrafficChoice | undefined): Promise<void> {
    if (choice !== undefined && !this.#isReady && Object.keys(this.#choice).length === 0) this.#choice = choice;
    this.#isReady = true;
    // Running requests are listed immediately, also if the ledger is slow to read.
    this.#services.worker.watchTraffic(!this.#isPaused);
    this.#followCalls();
    await this.#postViewContext();
    await this.#readList();
  }

  async #pause(isPaused: boolean): Promise<void> {
    this.#isPaused = isPaused;
    this.#services.worker.watchTraffic(!isPaused);
    this.#followCalls();
    if (!isPaused) await this.#readNewer();
  }

  get #filter(): ExchangeFilter {
    const { text = '', outcome, view: _, ...rest } = this.#choice;
    const terms = searchTerms(text, this.#keyNames);
    return { ...rest, ...(outcome !== undefined && outcome !== 'running' && { outcome }), terms };
  }

  async #readList(): Promise<void> {
    const choice = this.#choice;
    try {
      const page = await this.#pages.begin(choice.outcome === 'running' ? undefined : this.#filter);
      if (page === undefined) return;
      const opened = this.#opened;
      this.#post({ type: 'list', choice, ...page, ...(opened !== undefined && { opened }) });
    } catch (error) {
      this.#services.log.error('The ledger could not be read', error);
      const problem = errorText(error);
      this.#post({ type: 'list', choice, rows: [], hasMore: false, exchanges: 0, cost: 0, sampleCost: 0, problem });
    }
    this.#postLive();
    await this.#sessions.show(this.#choice.view === 'sessions' ? this.#filter : undefined);
  }

  async #readOlder(before: { readonly at: number; readonly number: number }): Promise<void> {
    const page = await this.#pages.older(this.#filter, before);
    if (page !== undefined) this.#post({ type: 'older', rows: page.rows, hasMore: page.hasMore });
  }

  /**
   * Reads the exchanges entered since the last read. Reads run one at a time, and each serves all calls made before it.
   * @param entered Called when rows of the ledger have replaced the live ones.
   */
  async #readNewer(entered?: () => void): Promise<void> {
    if (entered !== undefined) this.#entered.push(entered);
    if (this.#isPaused || !this.#isReady) return;
    await this.#reading;
    // The previous read may already have served this call.
    if (entered !== undefined && !this.#entered.includes(entered)) return;
    this.#reading ??= this.#readNewerNow().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  async #readNewerNow(): Promise<void> {
    const entered = this.#entered;
    this.#entered = [];
    try {
      const page = this.#choice.outcome === 'running' ? undefined : await this.#pages.newer(this.#filter);
      if (page !== undefined && page.rows.length > 0) {
        const { rows, exchanges, cost, sampleCost } = page;
        this.#live.entered(rows.map(({ id }) => id));
        this.#post({ type: 'newer', rows, exchanges, cost, sampleCost });
        this.#sessions.readSoon();
      }
    } catch (error) {
      this.#services.log.warn('The ledger could not be read', error);
      this.#entered.unshift(...entered);
      return;
    }
    for (const done of entered) done();
    this.#postLive();
  }

  /** Posts the editor's own calls repeatedly while some are in progress. */
  #followCalls(): void {
    clearTimeout(this.#followTimer);
    if (this.#isPaused || !this.#isReady) return;
    const { running } = this.#services.calls;
    this.#live.runCalls(running.map(runningRow));
    this.#postLive();
    if (running.length === 0) return;
    this.#followTimer = setTimeout(() => this.#followCalls(), FOLLOW_MS);
  }

  #postLive(): void {
    if (this.#isPaused || !this.#isReady) return;
    const filter = this.#filter;
    const isRunningOnly = this.#choice.outcome === 'running';
    const rows = this.#live.all.filter((row) => isMatch(filter, row) && !(isRunningOnly && row.end !== undefined));
    this.#post({ type: 'live', rows });
  }

  async #postViewContext(): Promise<void> {
    if (!this.#isReady) return;
    const viewContext = await readViewContext(this.#services);
    this.#keyNames = viewContext.keyNames;
    this.#post({ type: 'viewContext', viewContext });
  }

  async #readBody({ id, part }: Extract<TrafficPageMessage, { type: 'readBody' }>): Promise<void> {
    const [details, body] = await Promise.all([
      readDetails(this.#services, id),
      this.#services.worker.rpc.askTraffic({ kind: 'body', id, part }),
    ]);
    const shown = body && shownBody(body, details);
    this.#post({ type: 'body', id, part, ...(shown !== undefined && { body: shown }) });
  }
}

/** The context of the tab: the values to filter by, and the state of the gateway. */
async function readViewContext(services: TrafficServices): Promise<ViewContext> {
  const { worker, ledger, localKeys, gateway, settings } = services;
  const [names, keys] = await Promise.all([
    worker.rpc.readLedger('exchangeNames', { ledger }).catch(() => ({ models: [], clients: [] })),
    localKeys.read(),
  ]);
  const { state } = gateway;
  return {
    ...names,
    keyNames: keys.names,
    gateway: state.state,
    ...(state.state === 'running' && { address: state.address }),
    capturesBodies: settings.captureBodies,
    isTrusted: vscode.workspace.isTrusted,
  };
}

import * as vscode from 'vscode';
import type { ExchangeRecord } from '../../gateway/core/exchangeRecord.ts';
import type { IssuedKey } from '../../gateway/keys/issuedKey.ts';
import type { RunningExchange } from '../../gateway/traffic/protocol.ts';
import type { KeySpend } from '../../ledger/keySpend.ts';
import type { RouteMoves } from '../../pages/routes/routeMoves.ts';
import { DelayedCall } from '../../rules/delayedCall.ts';
import type { Row } from '../rows/row.ts';
import { RowView } from '../rows/rowView.ts';
import type { GatewayViewServices } from './gatewayFacts.ts';

const VIEW = 'modelAccess.gateway';
/**
 * Agents send many requests in a row, so the rows are updated once for all changes within this time. In milliseconds.
 */
const PAUSE_MS = 500;
/** How often relative times are updated, in milliseconds. */
const MINUTE_MS = 60_000;

/**
 * The gateway in the side bar. While it is off, the view shows the connected tools. If there are none, it is empty and
 * shows the manifest's `viewsWelcome`.
 */
export class GatewayView implements vscode.Disposable {
  readonly #services: GatewayViewServices;
  readonly #view = new RowView(VIEW, () => this.#rows());
  readonly #subscriptions: vscode.Disposable[];
  readonly #drawing = new DelayedCall(() => this.#view.refresh(), PAUSE_MS);
  #clock: NodeJS.Timeout | undefined;
  #decrease: NodeJS.Timeout | undefined;
  #exchanges: readonly RunningExchange[] = [];
  #moves: RouteMoves = new Map();
  /** Read again only after changes that may affect it. */
  #spend: Promise<readonly KeySpend[]> | undefined;

  constructor(services: GatewayViewServices) {
    const { gateway, localKeys, worker, toolConnections, settings } = services;
    this.#services = services;
    const refresh = () => {
      this.#spend = undefined;
      this.#refreshSoon();
    };
    this.#subscriptions = [
      gateway.onDidChange(() => this.#follow()),
      localKeys.onDidChange(refresh),
      worker.onDidExchange((record) => {
        if (record.route === undefined) refresh();
        else void this.#noteRoute(record).then(refresh);
      }),
      // Spending is read from the ledger, which contains an exchange only some time after its end.
      worker.onDidEnter(refresh),
      worker.onDidNoticeSession(refresh),
      worker.onDidReportRunning(({ exchanges }) => this.#run(exchanges)),
      toolConnections.onDidChange(refresh),
      // A moved route may have been removed from the setting, and would never be reported as restored.
      settings.onDidChange(['routes'], () => {
        this.#moves = new Map();
        refresh();
      }),
      this.#view.onDidChangeVisibility(() => this.#follow()),
    ];
    this.#follow();
  }

  /** The rows that the editor would get now. */
  rows(): Promise<readonly Row[]> {
    return this.#view.rows();
  }

  dispose(): void {
    this.#drawing.dispose();
    clearInterval(this.#clock);
    clearTimeout(this.#decrease);
    this.#services.worker.watchTraffic(false, this);
    vscode.Disposable.from(...this.#subscriptions, this.#view).dispose();
  }

  #follow(): void {
    this.#show().catch((error: unknown) => this.#services.log.error('Could not update the gateway view', error));
  }

  async #show(): Promise<void> {
    const { state } = this.#services.gateway;
    const isInUse = state.state === 'failed' && state.portInUse !== undefined;
    // The editor evaluates the context keys of a row's buttons when it renders the row, so they must be set before.
    await vscode.commands.executeCommand('setContext', 'modelAccess.gatewayPortInUse', isInUse);
    clearInterval(this.#clock);
    if (state.state !== 'running') this.#moves = new Map();
    const isDrawn = this.#view.isVisible && state.state === 'running';
    this.#services.worker.watchTraffic(isDrawn, this);
    if (isDrawn) this.#clock = setInterval(() => this.#refresh(), MINUTE_MS);
    else this.#exchanges = [];
    this.#refresh();
  }

  /** Also called by a timer, because budget periods begin and relative times change without an event. */
  #refresh(): void {
    this.#spend = undefined;
    this.#view.refresh();
  }

  #run(exchanges: readonly RunningExchange[]): void {
    const before = this.#exchanges;
    this.#exchanges = exchanges;
    if (stagesOf(before) !== stagesOf(exchanges)) this.#refreshSoon();
  }

  async #noteRoute(record: ExchangeRecord): Promise<void> {
    const { movesAfter } = await import('../../pages/routes/routeMoves.ts');
    this.#moves = movesAfter(this.#moves, record);
  }

  #refreshSoon(): void {
    if (this.#view.isVisible) this.#drawing.soon();
  }

  /** Figures of the last minute decrease without an event. */
  #refreshIn(ms: number | undefined): void {
    clearTimeout(this.#decrease);
    if (ms !== undefined) this.#decrease = setTimeout(() => this.#refreshSoon(), ms);
  }

  async #rows(): Promise<readonly Row[]> {
    const { state } = this.#services.gateway;
    if (state.state === 'off') return this.#offRows();
    if (state.state !== 'running' && state.state !== 'failed') return [];
    const [{ gatewayRows, failedRows }, { readFacts }] = await Promise.all([
      import('./gatewayRows.ts'),
      import('./gatewayFacts.ts'),
    ]);
    if (state.state === 'failed') return failedRows(state.problem, state.portInUse !== undefined);
    const known = {
      listening: state,
      exchanges: this.#exchanges,
      moves: [...this.#moves.values()],
      readSpend: (keys: readonly IssuedKey[]) => this.#readSpend(keys),
    };
    const { facts, decreasesIn } = await readFacts(known, this.#services);
    this.#refreshIn(decreasesIn);
    return gatewayRows(facts, Date.now());
  }

  /** Without connected tools, the manifest's `viewsWelcome` explains the gateway. */
  async #offRows(): Promise<readonly Row[]> {
    const { toolConnections, settings } = this.#services;
    if (toolConnections.all.length === 0) return [];
    const [{ offRows }, { readKeys, toolFacts }] = await Promise.all([
      import('./gatewayRows.ts'),
      import('./gatewayFacts.ts'),
    ]);
    const keys = (await readKeys(this.#services)) ?? [];
    return offRows(toolFacts(toolConnections.all, keys), settings.gatewayAutoStart);
  }

  #readSpend(keys: readonly IssuedKey[]): Promise<readonly KeySpend[]> {
    this.#spend ??= this.#services.spending.read(keys);
    return this.#spend;
  }
}

/** What rows show of running requests. It changes only when one begins, ends, waits, or gets its answer. */
function stagesOf(exchanges: readonly RunningExchange[]): string {
  return exchanges.map(({ id, firstByteMs, waitsFor }) => `${id} ${firstByteMs !== undefined} ${waitsFor}`).join();
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ExchangeRow } from '../../../ledger/exchangeQuery.ts';
import type { SessionHostMessage } from '../../../pages/session/protocol.ts';
import type { Model } from '../../../service/modelCatalog.ts';
import { ensureRunning } from '../../gateway/ensureRunning.ts';
import type { SessionServices } from '../sessionServices.ts';
import { askReplay, type ChosenReplay } from './askReplay.ts';
import { type ReplayableRow, readRequests, replayableRows } from './recordedRequest.ts';
import { ReplayRun } from './replayRun.ts';

/** The number of exchanges whose bodies the gateway keeps. */
const MAX_CAPTURED = 500;

interface SessionReplay {
  /** The session that was recorded. */
  readonly sessionId: string;
  readonly run: ReplayRun;
}

/** The replays of the sessions in a tab. They end with the tab. */
export class SessionReplays implements vscode.Disposable {
  readonly #services: SessionServices;
  readonly #post: (message: SessionHostMessage) => void;
  /** The newest first. */
  readonly #replays: SessionReplay[] = [];
  #shownId: string | undefined;

  constructor(services: SessionServices, post: (message: SessionHostMessage) => void) {
    this.#services = services;
    this.#post = post;
  }

  /** Returns the requests that can be sent again. */
  async captured(rows: readonly ExchangeRow[]): Promise<readonly ReplayableRow[]> {
    const candidates = replayableRows(rows).slice(-MAX_CAPTURED);
    if (candidates.length === 0) return [];
    const ids = await this.#services.worker.rpc.askTraffic({ kind: 'captured', ids: candidates.map(({ id }) => id) });
    const kept = new Set(ids);
    return candidates.filter(({ id }) => kept.has(id));
  }

  /** Asks for the model, the turns, and the price, and starts. */
  async start(sessionId: string, all: readonly ExchangeRow[], models: readonly Model[]): Promise<void> {
    const rows = await this.captured(all);
    const [first] = rows;
    if (first === undefined) return void showNotCaptured();
    const key = await this.#keyOf(first);
    const isSample = rows.every(({ upstream }) => upstream === 'sandbox');
    const count = replayableRows(all).length;
    const chosen = await askReplay({ rows, all: count, models, keyName: key.name, isSample });
    if (chosen === undefined) return;
    const address = await ensureRunning(this.#services.gateway, this.#services.upstream);
    if (address === undefined) return;
    await this.#run(sessionId, chosen, { address, secret: key.secret });
  }

  /** Posts the replays of a session. */
  list(sessionId: string | undefined): void {
    const ofSession = this.#replays.filter((replay) => replay.sessionId === sessionId);
    this.#post({ type: 'replays', replays: ofSession.map(({ run }) => run.summary) });
  }

  open(id: string): void {
    const run = this.#find(id);
    if (run === undefined) return;
    this.#shownId = id;
    this.#post({ type: 'replay', replay: run.state });
  }

  stop(id: string): void {
    this.#find(id)?.stop();
  }

  async showInTraffic(id: string): Promise<void> {
    const sessionId = this.#find(id)?.sessionId;
    if (sessionId !== undefined) await vscode.commands.executeCommand('modelAccess.openTraffic', { sessionId });
  }

  dispose(): void {
    for (const { run } of this.#replays) run.dispose();
  }

  #find(id: string): ReplayRun | undefined {
    return this.#replays.find(({ run }) => run.id === id)?.run;
  }

  async #run(
    sessionId: string,
    { model, rows, cost }: ChosenReplay,
    access: { readonly address: string; readonly secret: string },
  ): Promise<void> {
    const { worker, log } = this.#services;
    const requests = await readRequests(rows, this.#services);
    if (requests.length === 0) return void showNotCaptured();
    const run: ReplayRun = new ReplayRun({
      ...access,
      model,
      requests,
      cost,
      onExchange: (listener) => {
        const subscription = worker.onDidExchange(listener);
        return () => subscription.dispose();
      },
      onChange: (step) => {
        if (this.#shownId !== run.id) return;
        const { steps: _, ...state } = run.state;
        this.#post({ type: 'replayedRequest', state, ...(step !== undefined && { step }) });
      },
    });
    this.#replays.unshift({ sessionId, run });
    this.list(sessionId);
    this.open(run.id);
    run
      .run()
      .catch((error: unknown) => log.error('A replay failed', error))
      .finally(() => this.list(sessionId));
  }

  /** The local key of the session if it still exists, or else the first one. */
  async #keyOf({ localKeyId }: ReplayableRow): Promise<{ readonly name: string; readonly secret: string }> {
    const { keys } = await this.#services.localKeys.read();
    const key = keys.find(({ id }) => id === localKeyId) ?? keys[0];
    if (key === undefined) throw new Error(l10n.t('There is no local key.'));
    return key;
  }
}

function showNotCaptured(): void {
  void vscode.window.showInformationMessage(l10n.t('The bodies of this session’s requests were not captured.'));
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { titleOf } from '../../chat/conversation/title.ts';
import { errorText } from '../../display/errors.ts';
import { ownClientWord, sessionName } from '../../display/sessionName.ts';
import type { SessionDecision } from '../../gateway/core/sessionNotice.ts';
import type { ExchangePage, ExchangeRow } from '../../ledger/exchangeQuery.ts';
import type { SessionCap, SessionHostMessage, SessionState } from '../../pages/session/protocol.ts';
import type { SessionPageMessage } from '../../pages/session/sessionMessages.ts';
import {
  agentTypes,
  figuresOf,
  isMain,
  isUnpriced,
  sessionMisses,
  sessionTurns,
  whatIf,
} from '../../pages/session/sessionReport.ts';
import { DelayedCall } from '../../rules/delayedCall.ts';
import { decide } from '../localKeys/sessionNotices.ts';
import { changedNames } from './changedNames.ts';
import { endSession } from './sessionActions.ts';
import { SessionContexts } from './sessionContexts.ts';
import type { SessionServices } from './sessionServices.ts';

/** Requests come in bursts, so the session is read once for all requests within this time. In milliseconds. */
const QUIET_MS = 1_000;
/** Keys with these names were not named after a tool, so the program's name is used instead. */
const UNNAMED_KEYS: ReadonlySet<string> = new Set(['default', 'terminals']);
/** The maximum number of requests of a session; only the latest are read. */
const MAX_REQUESTS = 5_000;

/** The state of a session's tab while it is open, read again when the session continues. */
export class SessionPageState implements vscode.Disposable {
  readonly #services: SessionServices;
  readonly #post: (message: SessionHostMessage) => void;
  readonly #contexts: SessionContexts;
  readonly #subscriptions: vscode.Disposable[];
  #sessionId: string | undefined;
  readonly #readingSoon = new DelayedCall(() => void this.#read(), QUIET_MS);
  /** The number of the latest reading. Results of earlier ones are ignored. */
  #reading = 0;

  constructor(services: SessionServices, post: (message: SessionHostMessage) => void) {
    this.#services = services;
    this.#post = post;
    this.#contexts = new SessionContexts(services, post);
    const { worker, calls, models } = services;
    this.#subscriptions = [
      worker.onDidEnter(() => this.#readSoon()),
      worker.onDidNoticeSession(() => this.#readSoon()),
      calls.onDidRecord(() => this.#readSoon()),
      models.onDidChange(() => this.#readSoon()),
    ];
  }

  async receive(message: SessionPageMessage): Promise<unknown> {
    switch (message.type) {
      case 'ready':
        this.#sessionId ??= message.sessionId;
        return this.#read();
      case 'openUsage':
        return vscode.commands.executeCommand('modelAccess.openUsage');
      case 'showInTraffic': {
        const { type: _, ...times } = message;
        return vscode.commands.executeCommand('modelAccess.openTraffic', { sessionId: this.#sessionId, ...times });
      }
      case 'export': {
        const { exportSession } = await import('./sessionExport.ts');
        const page = await this.#readRows();
        if (page !== undefined) await exportSession(page.rows.toReversed(), this.#services);
        return;
      }
      case 'copySwitchOff':
        return this.#contexts.copySwitchOff(message.server);
      case 'raiseCap':
      case 'endSession':
      case 'setCap': {
        const page = await this.#readRows();
        await actOnCap(message, page?.rows[0] ?? {}, this.#services);
        return this.#read();
      }
    }
  }

  async show(sessionId: string): Promise<void> {
    this.#sessionId = sessionId;
    await this.#read();
  }

  dispose(): void {
    this.#readingSoon.dispose();
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #readSoon(): void {
    this.#readingSoon.soon();
  }

  async #read(): Promise<void> {
    this.#readingSoon.cancel();
    this.#reading += 1;
    const reading = this.#reading;
    try {
      const page = await this.#readRows();
      if (page === undefined) return;
      const message: SessionHostMessage =
        page.rows.length === 0
          ? { type: 'problem', problem: l10n.t('No requests of this session are recorded.') }
          : { type: 'session', state: await this.#stateOf(page) };
      if (reading !== this.#reading) return;
      this.#post(message);
      if (message.type === 'session') await this.#contexts.post(message.state.sessionId, page.rows[0]);
    } catch (error) {
      this.#services.log.error('The session could not be read', error);
      if (reading === this.#reading) this.#post({ type: 'problem', problem: errorText(error) });
    }
  }

  /** The latest first. */
  async #readRows(): Promise<ExchangePage | undefined> {
    const { worker, ledger } = this.#services;
    const sessionId = this.#sessionId;
    if (sessionId === undefined) return undefined;
    return worker.rpc.readLedger('exchanges', { ledger, filter: { sessionId }, limit: MAX_REQUESTS });
  }

  async #stateOf({ rows, exchanges }: ExchangePage): Promise<SessionState> {
    const { models } = this.#services;
    const samples = rows.filter(({ upstream }) => upstream === 'sandbox');
    const isSample = samples.some(({ cost }) => cost !== undefined) && rows.every((row) => isFreeOrSample(row));
    // Sample money is never added to real money.
    const counted = isSample ? rows : rows.filter((row) => !samples.includes(row));
    const [latest] = rows;
    const model = models.find(rows.find((row) => isMain(row) && row.source !== 'chatTitle')?.model ?? '');
    const keyName = await this.#keyName(latest?.localKeyId);
    const cap = await this.#ofGateway(() => readCap(rows, this.#services));
    return {
      sessionId: this.#sessionId ?? '',
      name: await this.#nameOf(rows, keyName),
      isRunning: this.#isRunning(),
      ...(latest !== undefined && { end: latest.end }),
      models: modelsOf(counted),
      ...(keyName !== undefined && { keyName }),
      subagents: new Set(rows.flatMap(({ agentId }) => agentId ?? [])).size,
      agentTypes: agentTypes(rows),
      sealed: Math.max(0, ...rows.map(({ sealed = 0 }) => sealed)),
      totals: figuresOf(counted),
      turns: sessionTurns(counted),
      misses: sessionMisses(counted, await this.#ofGateway(() => changedNames(counted, this.#services.worker))),
      whatIf: whatIf(counted, await this.#candidates()),
      ...(model?.contextWindow !== undefined && { contextWindow: model.contextWindow }),
      ...(cap !== undefined && { cap }),
      unpriced: counted.filter(isUnpriced).length,
      estimated: counted.filter(({ usageIsEstimated }) => usageIsEstimated === true).length,
      isSample,
      isCut: exchanges > rows.length,
    };
  }

  /** The rest of the page is complete without what only the gateway knows. */
  async #ofGateway<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await read();
    } catch (error) {
      this.#services.log.warn('The gateway could not be asked about a session', error);
      return undefined;
    }
  }

  #isRunning(): boolean {
    return this.#services.calls.running.some((call) => call.entry().sessionId === this.#sessionId);
  }

  /** Models that were used before come first. */
  async #candidates() {
    const { worker, ledger, models } = this.#services;
    const used = new Set((await worker.rpc.readLedger('exchangeNames', { ledger })).models);
    return models.state.models.toSorted((a, b) => Number(used.has(b.id)) - Number(used.has(a.id)));
  }

  async #keyName(id = ''): Promise<string | undefined> {
    return (await this.#services.localKeys.read()).names[id];
  }

  async #nameOf(rows: readonly ExchangeRow[], keyName: string | undefined): Promise<string> {
    const chat = rows.find(({ conversationId }) => conversationId !== undefined)?.conversationId;
    const stored = chat === undefined ? undefined : await this.#services.store.read(chat).catch(() => undefined);
    const [latest] = rows;
    const isNamed = keyName !== undefined && !UNNAMED_KEYS.has(keyName.toLowerCase());
    const tool = ownClientWord(latest?.client) ?? (isNamed ? keyName : latest?.client) ?? keyName ?? l10n.t('Session');
    return stored === undefined ? sessionName(tool, rows.at(-1)?.at ?? 0) : titleOf(stored.conversation);
  }
}

function isFreeOrSample({ upstream, cost = 0 }: ExchangeRow): boolean {
  return upstream === 'sandbox' || cost === 0;
}

/** The most expensive first. */
function modelsOf(rows: readonly ExchangeRow[]): readonly string[] {
  const groups = [...Map.groupBy(rows, ({ model = '' }) => model)].filter(([name]) => name !== '');
  const costOf = (ofModel: readonly ExchangeRow[]) => ofModel.reduce((sum, { cost = 0 }) => sum + cost, 0);
  return groups.sort(([, a], [, b]) => costOf(b) - costOf(a)).map(([name]) => name);
}

type CapMessage = Extract<SessionPageMessage, { readonly type: 'raiseCap' | 'endSession' | 'setCap' }>;

/**
 * Returns the cap of a session and what it has used of it.
 * @param rows All requests of the session, the latest first.
 */
async function readCap(
  rows: readonly ExchangeRow[],
  { worker, localKeys }: Pick<SessionServices, 'worker' | 'localKeys'>,
): Promise<SessionCap | undefined> {
  const [latest] = rows;
  const { keys } = await localKeys.read();
  const key = keys.find(({ id }) => id === latest?.localKeyId);
  if (key === undefined) return undefined;
  const sessions = await worker.rpc.askTraffic({ kind: 'cappedSessions' });
  const known = sessions.find(({ sessionId }) => sessionId === latest?.sessionId);
  if (known !== undefined) return { ...known, isKnown: true };
  const cap = key.limits?.sessionDollars;
  const nothing = { step: cap ?? 0, spent: figuresOf(rows).cost, isKnown: false, isWaiting: false, isEnded: false };
  return cap === undefined ? nothing : { ...nothing, cap };
}

/** Applies what the user has decided on the page. */
async function actOnCap(
  message: CapMessage,
  { sessionId, localKeyId }: Pick<ExchangeRow, 'sessionId' | 'localKeyId'>,
  services: Pick<SessionServices, 'worker'>,
): Promise<void> {
  if (message.type === 'setCap') {
    return vscode.commands.executeCommand('modelAccess.changeLocalKey', { subject: localKeyId });
  }
  if (message.type === 'endSession') return endSession({ subject: sessionId }, services);
  const sessions = await services.worker.rpc.askTraffic({ kind: 'cappedSessions' });
  const known = sessions.find((session) => session.sessionId === sessionId);
  if (known === undefined) return;
  const decision: SessionDecision = { cap: known.cap + message.raise };
  await decide(known.sessionId, decision, services);
}

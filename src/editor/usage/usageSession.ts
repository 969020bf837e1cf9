import * as vscode from 'vscode';
import { titleOf } from '../../chat/conversation/title.ts';
import { errorText } from '../../display/errors.ts';
import type { ContextLine } from '../../ledger/contextSums.ts';
import type { UsageQuestion } from '../../ledger/usage.ts';
import { FIRST_CHOICE, periodOf } from '../../pages/usage/period.ts';
import type {
  PeriodChoice,
  TeamUsage,
  UsageHostMessage,
  UsageReport,
  UsageSessions,
  UsageState,
} from '../../pages/usage/protocol.ts';
import type { UsagePageMessage } from '../../pages/usage/usageMessages.ts';
import { whatIfOfPeriod } from '../../pages/usage/whatIfOfPeriod.ts';
import { DelayedCall } from '../../rules/delayedCall.ts';
import type { UsageServices } from './usageServices.ts';

/** Exchanges come in bursts, so the sums are read once for all exchanges within this time. In milliseconds. */
const QUIET_MS = 1_000;
/** Lines of contexts that the page gets. Exports contain all. */
const MAX_CONTEXTS = 300;

/** The state of the Usage tab while it is open: the sums of its period, read again after changes. */
export class UsageSession implements vscode.Disposable {
  readonly #services: UsageServices;
  readonly #post: (message: UsageHostMessage) => void;
  readonly #subscriptions: vscode.Disposable[];
  #choice: PeriodChoice = FIRST_CHOICE;
  #report: UsageReport | undefined;
  #sessions: UsageSessions | undefined;
  /** What the team's gateway has recorded for the service key. */
  #ofTeam: Pick<TeamUsage, 'report' | 'problem'> = {};
  #problem: string | undefined;
  #sessionsProblem: string | undefined;
  #contexts: readonly ContextLine[] | undefined;
  #keyNames: Readonly<Record<string, string>> = {};
  readonly #titles = new Map<string, string>();
  /**
   * Until the page is ready, nothing is posted: it first receives the sums, without rendering an empty state before.
   */
  #hasPage = false;
  /** The number of the latest reading. Results of earlier ones are ignored. */
  #reading = 0;
  #isReading = false;
  readonly #readingSoon = new DelayedCall(() => void this.read(), QUIET_MS);

  constructor(services: UsageServices, post: (message: UsageHostMessage) => void) {
    this.#services = services;
    this.#post = post;
    const { worker, calls, connection, balance, localKeys, settings, models } = services;
    this.#subscriptions = [
      worker.onDidExchange(() => this.#readSoon()),
      calls.onDidRecord(() => this.#readSoon()),
      connection.onDidChange(() => {
        // The report was that of another key.
        this.#ofTeam = {};
        this.#readSoon();
      }),
      balance.onDidChange(() => this.#followBalance()),
      models.onDidChange(() => this.#publish()),
      settings.onDidChange(['dashboardAddress'], () => this.#publish()),
      localKeys.onDidChange(() => this.#readSoon()),
    ];
  }

  get state(): UsageState {
    const { connection, balance, settings, models } = this.#services;
    const { kind } = connection.current;
    const now = Date.now();
    const left = balance.state.balance;
    return {
      choice: this.#choice,
      period: periodOf(this.#choice, now),
      ...(this.#report !== undefined && { report: this.#report }),
      ...(this.#sessions !== undefined && { sessions: this.#sessions }),
      ...(this.#sessionsProblem !== undefined && { sessionsProblem: this.#sessionsProblem }),
      ...(this.#report !== undefined && { whatIf: whatIfOfPeriod(this.#report, models.state.models) }),
      ...this.#team(),
      ...(this.#contexts !== undefined && { contexts: this.#contexts }),
      isReading: this.#isReading,
      ...(this.#problem !== undefined && { problem: this.#problem }),
      now,
      connection: kind,
      hasDashboard: settings.dashboardAddress !== '',
      ...(left?.remaining !== undefined && left.currency === 'USD' && { balance: left.remaining }),
      keyNames: this.#keyNames,
      conversationTitles: this.#knownTitles(),
    };
  }

  async receive(message: UsagePageMessage): Promise<unknown> {
    switch (message.type) {
      case 'ready':
        return this.#begin(message.choice);
      case 'choosePeriod':
        this.#choice = message.choice;
        this.#sessions = undefined;
        this.#contexts = undefined;
        return this.read();
      case 'retry':
        return this.read();
      case 'openTraffic':
        return vscode.commands.executeCommand('modelAccess.openTraffic', message.filter);
      case 'openSession':
        return vscode.commands.executeCommand('modelAccess.openSession', message.sessionId);
      case 'openConversation':
        return vscode.commands.executeCommand('modelAccess.openConversation', message.conversationId);
      case 'openRun':
        return vscode.commands.executeCommand('modelAccess.openConversation', message.conversationId, message.at);
      case 'openCaching':
        return vscode.commands.executeCommand('modelAccess.openCaching');
      case 'addCredit':
        return vscode.commands.executeCommand('modelAccess.openDashboard');
      case 'export': {
        const { exportUsage } = await import('./usageExport.ts');
        return exportUsage(message, this.state, this.#services);
      }
    }
  }

  /** Reads the sums of the period. Never rejects: a failure becomes part of the state. */
  async read(): Promise<void> {
    this.#readingSoon.cancel();
    this.#reading += 1;
    const reading = this.#reading;
    this.#isReading = true;
    if (this.#hasPage) this.#publish();
    try {
      const [report, keyNames] = await Promise.all([this.#readReport(), this.#readKeyNames()]);
      if (reading !== this.#reading) return;
      this.#report = report;
      this.#keyNames = keyNames;
      this.#problem = undefined;
    } catch (error) {
      if (reading !== this.#reading) return;
      this.#services.log.error('The usage could not be read', error);
      this.#problem = errorText(error);
    }
    this.#isReading = false;
    this.#publish();
    await Promise.all([this.#readTeam(reading), this.#readSessions(reading)]);
    await this.#readTitles();
  }

  dispose(): void {
    this.#readingSoon.dispose();
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  /** A restored page sends the period that it showed. */
  async #begin(choice: PeriodChoice | undefined): Promise<void> {
    this.#hasPage = true;
    if (choice !== undefined) this.#choice = choice;
    const isKnown = JSON.stringify(this.#report?.period) === JSON.stringify(this.state.period);
    if (isKnown || (this.#isReading && choice === undefined)) this.#publish();
    else await this.read();
  }

  #readSoon(): void {
    this.#readingSoon.soon();
  }

  #publish(): void {
    this.#post({ type: 'state', state: this.state });
  }

  #readReport(): Promise<UsageReport> {
    const { open } = this.#services.connection;
    const account = open && { id: open.identity, upstream: open.kind };
    return this.#services.worker.rpc.readLedger('usage', { ...this.#question, ...(account && { account }) });
  }

  get #question(): UsageQuestion {
    const { ledger, connection } = this.#services;
    return { ledger, period: periodOf(this.#choice, Date.now()), ofSandbox: connection.open?.kind === 'sandbox' };
  }

  #team(): { readonly team?: TeamUsage } {
    const { balance, host } = this.#services.balance.state;
    if (balance?.team === undefined || host === undefined) return {};
    return { team: { account: balance.team, host, ...this.#ofTeam } };
  }

  /** The first balance shows that the key belongs to a team's gateway, and each further one that it was used. */
  #followBalance(): void {
    if (this.#services.balance.state.balance?.team !== undefined && this.#hasPage) this.#readSoon();
    this.#publish();
  }

  /** Reads the usage of the service key from its team's gateway. */
  async #readTeam(reading: number): Promise<void> {
    const { connection, balance, log } = this.#services;
    if (balance.state.balance?.team === undefined || connection.open === undefined) return;
    try {
      const { readTeamReport } = await import('../../pages/usage/teamReport.ts');
      const report = await readTeamReport(connection.open.client, periodOf(this.#choice, Date.now()));
      if (reading === this.#reading) this.#ofTeam = { report };
    } catch (error) {
      log.warn('The usage could not be read from the gateway', error);
      if (reading === this.#reading) this.#ofTeam = { ...this.#ofTeam, problem: errorText(error) };
    }
    this.#publish();
  }

  /** Reads the sessions after the daily sums, because they take all rows of the period. */
  async #readSessions(reading: number): Promise<void> {
    try {
      const sessions = await this.#services.worker.rpc.readLedger('usageSessions', this.#question);
      if (reading !== this.#reading) return;
      this.#sessions = sessions;
      this.#sessionsProblem = undefined;
      const contexts = await this.#services.worker.rpc.readLedger('usageContext', this.#question);
      if (reading === this.#reading) this.#contexts = contexts.slice(0, MAX_CONTEXTS);
    } catch (error) {
      if (reading !== this.#reading) return;
      this.#services.log.error('The sessions could not be read', error);
      this.#sessionsProblem = errorText(error);
    }
    this.#publish();
  }

  async #readKeyNames(): Promise<Readonly<Record<string, string>>> {
    return (await this.#services.localKeys.read()).names;
  }

  /** Reads the titles after the figures, because they are in the conversations' files. */
  async #readTitles(): Promise<void> {
    const missing = this.#chats.filter((name) => !this.#titles.has(name));
    if (missing.length === 0) return;
    const read = missing.map(async (name) => {
      const stored = await this.#services.store.read(name).catch(() => undefined);
      if (stored !== undefined) this.#titles.set(name, titleOf(stored.conversation));
    });
    await Promise.all(read);
    this.#publish();
  }

  /** The IDs of the conversations that the tab names. */
  get #chats(): readonly string[] {
    const { sessions = [], runs = [] } = this.#sessions ?? {};
    const ofSessions = [...sessions, ...runs].map(({ conversationId }) => conversationId);
    return [...new Set(ofSessions.filter((id) => id !== ''))];
  }

  #knownTitles(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      this.#chats.flatMap((id) => [[id, this.#titles.get(id)]].filter(([, title]) => title !== undefined)),
    );
  }
}

import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { defined } from '../../../formats/json.ts';
import type { ExchangeRow } from '../../../ledger/exchangeQuery.ts';
import type { CheckName, CheckRow, ToolCheck } from '../../../pages/connectTool/protocol.ts';
import { CHECK_CLIENT, CHECK_HEADERS, checkCall } from '../../../tools/checkCall.ts';
import type { ClientProgram, ToolAccess } from '../../../tools/tool.ts';
import type { BaseServices } from '../../baseServices.ts';
import { Claim } from '../../claim.ts';

const TIMEOUT_MS = 30_000;
/** The number of the key's last requests that are searched. Few of them are checks. */
const MAX_REQUESTS = 50;
const WAITING: CheckRow = { state: 'waiting' };

export type CheckServices = Pick<BaseServices, 'ledger' | 'log' | 'worker'>;

export interface CheckedTool {
  readonly tool: ClientProgram;
  readonly access: ToolAccess;
  readonly keyId: string;
  readonly keyName: string;
}

/**
 * Makes the requests that a connected tool will make, step by step, and then waits for the tool's own first request,
 * which the ledger reports.
 */
export class ToolChecker implements vscode.Disposable {
  readonly checked: CheckedTool;
  readonly #services: CheckServices;
  readonly #report: (check: ToolCheck) => void;
  readonly #subscription: vscode.Disposable;
  #rows: Readonly<Record<CheckName, CheckRow>> = { gateway: WAITING, key: WAITING, model: WAITING, tool: WAITING };
  /** When the check sent its request to the model, in milliseconds since the epoch. */
  #askedAt: number | undefined;
  readonly #running = new Claim();
  #isDisposed = false;

  constructor(checked: CheckedTool, services: CheckServices, report: (check: ToolCheck) => void) {
    this.checked = checked;
    this.#services = services;
    this.#report = report;
    this.#subscription = services.worker.onDidEnter(() => void this.readRequests());
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#subscription.dispose();
  }

  /** Runs the checks, unless they run already: a request to the model costs money. */
  async run(): Promise<void> {
    await this.#running.hold(() => this.#run());
  }

  async #run(): Promise<void> {
    this.#rows = { ...this.#rows, gateway: WAITING, key: WAITING, model: WAITING };
    this.#askedAt = undefined;
    const { address, model } = this.checked.access;
    const unreachable = l10n.t(
      'Nothing responds at {0}. Start the gateway or reconnect the tool, and check again.',
      address,
    );
    const late = (name: string) => l10n.t('{0} did not respond. Check again in a moment.', name);
    const steps = [
      () => this.#step('gateway', () => this.#checkGateway(), unreachable),
      () => this.#step('key', () => this.#checkKey(), late(l10n.t('The service'))),
      () => this.#step('model', () => this.#checkModel(), late(model)),
    ];
    for (const step of steps) if (this.#isDisposed || !(await step())) break;
    await this.readRequests();
  }

  /** Reads from the ledger what the check cost, and whether the tool has sent a request. */
  async readRequests(): Promise<void> {
    const { worker, ledger, log } = this.#services;
    try {
      const filter = { localKeyId: this.checked.keyId };
      const { rows } = await worker.rpc.readLedger('exchanges', { ledger, filter, limit: MAX_REQUESTS });
      this.#takeCost(rows.find(({ client, at }) => client === CHECK_CLIENT && at >= (this.#askedAt ?? Infinity)));
      this.#takeRequest(rows.filter(({ client }) => client !== CHECK_CLIENT));
    } catch (error) {
      log.warn('Could not read the requests of a tool', error);
    }
    this.#publish();
  }

  /** @param failure The message if the check gets no answer. */
  async #step(name: CheckName, check: () => Promise<string | undefined>, failure: string): Promise<boolean> {
    this.#set(name, { state: 'running' });
    const started = performance.now();
    const problem = await check().catch((error: unknown) => {
      this.#services.log.warn(`The check of a tool failed (${name})`, error);
      return failure;
    });
    const milliseconds = Math.round(performance.now() - started);
    this.#set(name, problem === undefined ? { state: 'passed', milliseconds } : { state: 'failed', problem });
    return problem === undefined;
  }

  /** Needs no key and no upstream. */
  async #checkGateway(): Promise<undefined> {
    await this.#ask(new URL('/health/live', this.checked.access.address).href);
  }

  /**
   * Requests the list of models, which costs nothing. Only a refusal by the gateway matters here, not the service's
   * answer.
   */
  async #checkKey(): Promise<string | undefined> {
    const { access, tool } = this.checked;
    const status = await this.#ask(`${access.address}/models`, { authorization: `Bearer ${access.secret}` });
    if (status !== 401 && status !== 403) return undefined;
    return l10n.t('The gateway rejects it with status {0}. Connect {1} again.', String(status), tool.name);
  }

  async #checkModel(): Promise<string | undefined> {
    const { tool, access } = this.checked;
    this.#askedAt = Date.now();
    const { status, problem } = await checkCall(tool, access);
    return problem === undefined
      ? undefined
      : `${l10n.t('Status {0}: {1}', String(status), problem.replace(/\.$/, ''))}. ${advice(status)}`;
  }

  /** Returns the status. Reads the answer to its end, because until then the gateway counts the request as running. */
  async #ask(address: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(address, { headers: { ...CHECK_HEADERS, ...headers }, signal });
    await response.arrayBuffer();
    return response.status;
  }

  #takeCost(row: ExchangeRow | undefined): void {
    if (row === undefined || this.#rows.model.state !== 'passed') return;
    this.#rows = { ...this.#rows, model: { ...this.#rows.model, ...figuresOf(row) } };
  }

  #takeRequest(rows: readonly ExchangeRow[]): void {
    const answered = rows.find(({ status = 0 }) => status >= 200 && status < 300);
    const last = answered ?? rows[0];
    if (last === undefined) return;
    const problem = l10n.t(
      'Its last request failed with status {0}. Its row in Traffic shows why.',
      String(last.status ?? '–'),
    );
    const tool: CheckRow =
      answered === undefined ? { state: 'failed', problem } : { state: 'passed', ...figuresOf(answered) };
    this.#rows = { ...this.#rows, tool };
  }

  #set(name: CheckName, row: CheckRow): void {
    this.#rows = { ...this.#rows, [name]: row };
    this.#publish();
  }

  #publish(): void {
    if (this.#isDisposed) return;
    const { tool, access, keyName } = this.checked;
    const { host } = new URL(access.address);
    this.#report({ tool: tool.id, host, key: keyName, model: access.model, rows: this.#rows });
  }
}

function figuresOf({ usage, cost, upstream, durationMs }: ExchangeRow): Omit<CheckRow, 'state'> {
  return defined({
    milliseconds: Math.round(durationMs),
    inputTokens: usage?.inputTokens,
    outputTokens: usage?.outputTokens,
    cost,
    isSample: upstream === 'sandbox' ? true : undefined,
  });
}

/** What to do about an answer with an error. */
function advice(status: number): string {
  if (status === 402) return l10n.t('Raise the budget, and check again.');
  if (status === 429) return l10n.t('Wait a moment, and check again.');
  return status < 500 ? l10n.t('Choose another model.') : l10n.t('Check again in a moment.');
}

import type * as vscode from 'vscode';
import type { ExchangeRecord } from '../../gateway/core/exchangeRecord.ts';
import { DelayedCall } from '../../rules/delayedCall.ts';
import type { BalanceMonitor } from '../balance/balanceMonitor.ts';
import type { Log } from '../log/log.ts';
import type { GatewayWorker } from '../worker/gatewayWorker.ts';

/** Agents send many requests in a row, so the balance is read after a pause of this length, in milliseconds. */
const QUIET_MS = 700;

/** Logs each exchange of the gateway, and refreshes the balance after exchanges that may have cost something. */
export class ExchangeFollower implements vscode.Disposable {
  readonly #log: Log;
  readonly #subscription: vscode.Disposable;
  readonly #refreshing: DelayedCall;

  constructor(worker: GatewayWorker, balance: BalanceMonitor, log: Log) {
    this.#refreshing = new DelayedCall(() => balance.refreshAfterCharge(), QUIET_MS);
    this.#log = log;
    this.#subscription = worker.onDidExchange((record) => this.#follow(record));
  }

  dispose(): void {
    this.#refreshing.dispose();
    this.#subscription.dispose();
  }

  #follow(record: ExchangeRecord): void {
    this.#log.debug(describe(record));
    if (record.upstream !== undefined) this.#refreshing.afterPause();
  }
}

function describe({ endpoint, model, userAgent, status, durationMs, end }: ExchangeRecord): string {
  const what = [endpoint ?? 'unknown address', model].filter((part) => part !== undefined).join(' ');
  return `Exchange: ${what} for ${userAgent ?? 'a tool'}: ${status ?? 'no answer'}, ${Math.round(durationMs)} ms, ${end}`;
}

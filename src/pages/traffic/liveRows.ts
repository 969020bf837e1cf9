import { defined } from '../../formats/json.ts';
import type { ExchangeRecord } from '../../gateway/core/exchangeRecord.ts';
import type { RunningCall, RunningExchange } from '../../gateway/traffic/protocol.ts';
import type { LedgerEntry } from '../../ledger/ledgerEntry.ts';
import type { TrafficRow } from './protocol.ts';

/**
 * Exchanges in progress, and those that have ended but are not in the ledger yet, so that rows do not disappear and
 * reappear.
 */
export class LiveRows {
  #running: readonly TrafficRow[] = [];
  #calls: readonly TrafficRow[] = [];
  #otherCalls: readonly TrafficRow[] = [];
  /** Calls of other windows that have ended, until the ledger contains their result. */
  readonly #leaving = new Map<string, TrafficRow>();
  readonly #ended = new Map<string, TrafficRow>();

  get all(): readonly TrafficRow[] {
    const running = [...this.#running, ...this.#calls, ...this.#otherCalls].filter(({ id }) => !this.#ended.has(id));
    return [...running, ...this.#leaving.values(), ...this.#ended.values()];
  }

  run(exchanges: readonly RunningExchange[]): void {
    this.#running = exchanges.map(rowOf);
  }

  /** The editor's own calls, which do not go through the gateway. */
  runCalls(calls: readonly TrafficRow[]): void {
    this.#calls = calls;
  }

  /**
   * Calls of other windows.
   * @returns whether one of them has ended.
   */
  runOtherCalls(calls: readonly RunningCall[], now: number): boolean {
    const runningIds = new Set(calls.map(({ id }) => id));
    const left = this.#otherCalls.filter(({ id }) => !runningIds.has(id));
    for (const row of left) this.#leaving.set(row.id, row);
    // Their window reports them only when something changes, so the duration is computed here.
    this.#otherCalls = calls.map((call) => ({ ...call, durationMs: now - call.at }));
    return left.length > 0;
  }

  /** Called when the ledger does not contain them, because their window was closed before it could write. */
  forgetLeaving(): void {
    this.#leaving.clear();
  }

  endCall({ prices: _, ...row }: LedgerEntry): void {
    this.#calls = this.#calls.filter(({ id }) => id !== row.id);
    this.#ended.set(row.id, row);
  }

  end(record: ExchangeRecord): void {
    const row = this.#running.find(({ id }) => id === record.id);
    // An exchange that was never seen running was short, and is shown from the ledger.
    if (row === undefined) return;
    this.#running = this.#running.filter(({ id }) => id !== record.id);
    const { status, firstByteMs, durationMs, usage, usageIsEstimated, estimateAccuracy, cost, end } = record;
    const { attempts, secrets, sealed } = record;
    const outcome = defined({
      status,
      firstByteMs,
      usage,
      usageIsEstimated,
      estimateAccuracy,
      cost,
      attempts,
      secrets,
      sealed,
    });
    this.#ended.set(record.id, { ...row, ...outcome, durationMs, end });
  }

  /** Called when the ledger contains these exchanges. */
  entered(ids: readonly string[]): void {
    for (const id of ids) {
      this.#ended.delete(id);
      this.#leaving.delete(id);
    }
  }
}

function rowOf({ upstreamModel: _, dropped: __, bytesIn, bytesOut, ...row }: RunningExchange): TrafficRow {
  return { ...row, source: 'gateway' };
}

import type { ExchangeRecord } from '../../gateway/exchanges/record.ts';
import type { RunningExchange } from '../../gateway/traffic/protocol.ts';
import type { TrafficRow } from './protocol.ts';

/** Exchanges that run, and those that have ended and are not in the ledger yet, so that no line goes and comes again. */
export class LiveRows {
  #running: readonly TrafficRow[] = [];
  #calls: readonly TrafficRow[] = [];
  readonly #ended = new Map<string, TrafficRow>();

  get all(): readonly TrafficRow[] {
    const running = [...this.#running, ...this.#calls].filter(({ id }) => !this.#ended.has(id));
    return [...running, ...this.#ended.values()];
  }

  run(exchanges: readonly RunningExchange[]): void {
    this.#running = exchanges.map(rowOf);
  }

  /** The editor's own, past the gateway. */
  runCalls(calls: readonly TrafficRow[]): void {
    this.#calls = calls;
  }

  endCall(row: TrafficRow): void {
    this.#ended.set(row.id, row);
  }

  end(record: ExchangeRecord): void {
    const row = this.#running.find(({ id }) => id === record.id);
    // One that was never seen running is short, and comes with the ledger.
    if (row === undefined) return;
    const { status, firstByteMs, durationMs, usage, usageIsEstimated, cost, end } = record;
    this.#ended.set(record.id, {
      ...row,
      durationMs,
      end,
      ...(status !== undefined && { status }),
      ...(firstByteMs !== undefined && { firstByteMs }),
      ...(usage !== undefined && { usage }),
      ...(usageIsEstimated === true && { usageIsEstimated }),
      ...(cost !== undefined && { cost }),
    });
  }

  /** The ledger has them. */
  entered(ids: readonly string[]): void {
    for (const id of ids) this.#ended.delete(id);
  }

  clear(): void {
    this.#running = [];
    this.#calls = [];
    this.#ended.clear();
  }
}

function rowOf({ upstreamModel: _, dropped: __, bytesIn, bytesOut, ...row }: RunningExchange): TrafficRow {
  return { ...row, source: 'gateway' };
}

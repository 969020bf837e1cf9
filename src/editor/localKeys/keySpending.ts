import type { KeyDetails } from '../../gateway/keys/issuedKey.ts';
import type { KeySpend } from '../../gateway/ledger/keySpend.ts';
import type { GatewayWorker } from '../gateway/gatewayWorker.ts';
import type { Log } from '../log/log.ts';

/** What local keys have spent by the ledger, which the worker reads. */
export class KeySpending {
  readonly #worker: GatewayWorker;
  readonly #ledger: string;
  readonly #log: Log;

  /** @param ledger The path of the ledger. */
  constructor(worker: GatewayWorker, ledger: string, log: Log) {
    this.#worker = worker;
    this.#ledger = ledger;
    this.#log = log;
  }

  /** Of each key in the present periods of its budgets, or in total; nothing where the ledger cannot be read. */
  async read(keys: readonly KeyDetails[]): Promise<readonly KeySpend[]> {
    const asked = keys.map(({ id, budgets }) => ({
      id,
      periods: budgets?.map(({ period }) => period) ?? ['total' as const],
    }));
    try {
      return await this.#worker.rpc.readLedger('keySpend', { ledger: this.#ledger, keys: asked });
    } catch (error) {
      this.#log.warn('Could not read the spending of local keys', error);
      return [];
    }
  }
}

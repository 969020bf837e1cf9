import type { KeyDetails } from '../../gateway/keys/issuedKey.ts';
import type { KeySpend } from '../../ledger/keySpend.ts';
import type { Log } from '../log/log.ts';
import type { GatewayWorker } from '../worker/gatewayWorker.ts';

/** The spending of local keys, read from the ledger by the worker. */
export class KeySpending {
  readonly #worker: GatewayWorker;
  readonly #ledger: string;
  readonly #log: Log;

  /** @param ledger The path of the ledger's database file. */
  constructor(worker: GatewayWorker, ledger: string, log: Log) {
    this.#worker = worker;
    this.#ledger = ledger;
    this.#log = log;
  }

  /**
   * Returns each key's spending in the current periods of its budgets, or in total. Empty if the ledger cannot be read.
   */
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

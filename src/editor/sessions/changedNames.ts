import type { ExchangeRow } from '../../ledger/exchangeQuery.ts';
import { isAvoidable } from '../../rules/cacheMiss.ts';
import type { GatewayWorker } from '../worker/gatewayWorker.ts';

/** The number of requests that are asked for, the latest ones. */
const MAX_ASKED = 20;

/**
 * Returns the names of the tools or settings whose change made the cache miss, by the IDs of the requests. The ledger
 * does not contain them: the gateway remembers those of recent requests.
 * @param rows The latest first.
 */
export async function changedNames(
  rows: readonly ExchangeRow[],
  { rpc }: Pick<GatewayWorker, 'rpc'>,
): Promise<ReadonlyMap<string, string>> {
  const missed = rows.filter(({ cacheMiss }) => cacheMiss !== undefined && isAvoidable(cacheMiss.reason));
  const names = missed.slice(0, MAX_ASKED).map(async ({ id }) => {
    const details = await rpc.askTraffic({ kind: 'details', id });
    return [id, details?.record?.cacheMiss?.changed] as const;
  });
  return new Map((await Promise.all(names)).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

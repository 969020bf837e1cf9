import type { QueueState } from '../../gateway/core/keyLimits.ts';
import type { IssuedKey } from '../../gateway/keys/issuedKey.ts';
import type { BaseServices } from '../baseServices.ts';

/** Reads the queues of keys with limits. Undefined if no key has limits, or they cannot be read. */
export async function readQueues(
  keys: readonly IssuedKey[],
  { worker, log }: Pick<BaseServices, 'log' | 'worker'>,
): Promise<readonly QueueState[] | undefined> {
  if (keys.every(({ limits }) => limits === undefined)) return undefined;
  try {
    return await worker.rpc.askTraffic({ kind: 'queues' });
  } catch (error) {
    log.warn('The queues of local keys could not be read', error);
    return undefined;
  }
}

/** Returns the milliseconds until a figure of the last minute decreases, which no event reports. */
export function nextDecrease(queues: readonly QueueState[] = []): number | undefined {
  const waits = queues.flatMap(({ frees }) => frees?.inMs ?? []);
  return waits.length === 0 ? undefined : Math.min(...waits);
}

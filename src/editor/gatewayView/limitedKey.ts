import type { QueueState } from '../../gateway/core/keyLimits.ts';
import type { IssuedKey } from '../../gateway/keys/issuedKey.ts';
import type { RunningExchange } from '../../gateway/traffic/protocol.ts';

/** A local key and its queue of requests that wait for its limits. */
export interface LimitedKey {
  readonly key: IssuedKey;
  /** The key's requests in the queue, in the order of their arrival. */
  readonly waiting: readonly RunningExchange[];
  /** Undefined if it is unknown. */
  readonly queue: QueueState | undefined;
}

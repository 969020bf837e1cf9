import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ContextMeasuring } from '../../rules/contextPart.ts';
import type { SecretPolicy } from '../../rules/secretPolicy.ts';
import type { KnownSecret } from '../../secrets/secretTable.ts';
import type { Clock } from '../../service/clock.ts';
import type { AccessRules } from '../access/access.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import type { Upstream } from '../core/upstream.ts';
import type { UsageEstimator } from '../core/usageEstimator.ts';
import type { FindBranch } from '../core/windowBranches.ts';
import type { Books } from '../exchanges/books.ts';
import type { Queues } from '../rateLimits/requestQueues.ts';
import type { SocketLimits } from '../websocket/connection.ts';
import type { ServingOptions } from './exchangeServer.ts';
import type { SessionLoop } from './sessionTracker.ts';

/** Answers paths that are not endpoints of the API. */
export interface FurtherPaths {
  /**
   * @param onRefused called if the sender of the request is unknown, with the reason.
   * @returns false if the path is not one of these.
   */
  answer(request: IncomingMessage, response: ServerResponse, onRefused: (reason: string) => void): boolean;
}

export interface RequestHandlerOptions extends AccessRules, ServingOptions {
  readonly furtherPaths?: FurtherPaths;
  /** Maximum number of running exchanges. Default: 1024. */
  readonly maxExchanges?: number;
  /** Keeps the budgets and the ledger. By default, budgets are kept in memory. */
  readonly books?: Books;
  /** The queues of keys with limits. By default, they are kept in memory. */
  readonly queues?: Queues;
  /** Called once for each exchange after its end, with the upstream that was asked. */
  readonly onExchange?: ((record: ExchangeRecord, upstream: Upstream | undefined) => void) | undefined;
  /** Estimates usage that no upstream reports. By default, estimates without a tokenizer. */
  readonly estimator?: UsageEstimator;
  /** Finds the branch of the window that a request names. By default, no window is known. */
  readonly findBranch?: FindBranch;
  /** Whether the ledger gets what the requests of sessions consist of. Default: true. */
  readonly measuresContext?: ContextMeasuring;
  /** What happens to secrets in requests whose key and upstream have no policy of their own. Default: `off`. */
  readonly secretPolicy?: SecretPolicy;
  /** Values that are secrets wherever they are. */
  readonly knownSecrets?: readonly KnownSecret[];
  /** Called when an agent has made the same calls with the same results three times, and every ten rounds after. */
  readonly onLoop?: (loop: SessionLoop) => void;
  /** Whether such a session is ended, so that its further requests are refused. Default: false. */
  readonly endsLoops?: boolean;
  /**
   * Called with a message for the user about the number of requests refused before their sender was known, at most once
   * a minute.
   */
  readonly onRefusedCallers?: (message: string) => void;
  /** Limits of WebSocket connections. */
  readonly socketLimits?: Partial<SocketLimits>;
  /** Clock for the queues. Default: the system's clock. */
  readonly clock?: Clock;
  /** Called for unexpected errors. */
  readonly onError?: (error: unknown) => void;
}

import type { WireFormat } from '../../formats/wireFormat.ts';
import type { Endpoint } from '../core/upstream.ts';
import type { UsageEstimator } from '../core/usageEstimator.ts';
import type { Trace } from '../traffic/trace.ts';
import type { BegunExchange } from './books.ts';

/** What is known when the exchange begins, or before an upstream is asked. */
export interface ExchangeOptions {
  readonly id: string;
  readonly format: WireFormat;
  readonly endpoint?: Endpoint;
  /** Captures what is not in the record. */
  readonly trace?: Trace;
  /** Estimates usage that is not reported. */
  readonly estimator?: UsageEstimator | undefined;
  /** Called before a model is asked, and again before each further attempt. */
  readonly onSent?: (exchange: BegunExchange) => void;
}

import type { FormatName } from '../../formats/conversation.ts';
import type { CountedModel } from '../../ledger/outputSpeeds.ts';
import type { Accuracy } from '../../rules/exchange.ts';
import type { Endpoint } from './endpoint.ts';

/** The typical number of bytes for one token, in text that is not read. */
export const BYTES_PER_TOKEN = 4;

/** The body of a request whose usage was not reported. */
export interface UncountedRequest extends CountedModel {
  readonly endpoint: Endpoint;
  readonly body: Buffer;
}

/** The received part of an answer whose usage was not reported. */
export interface UncountedAnswer extends CountedModel {
  /** The caller's format. */
  readonly format: FormatName;
  /** Whether the bytes are server-sent events. Otherwise they are one JSON body. */
  readonly isStream: boolean;
  /** Uncompressed. May end at any byte. */
  readonly bytes: Buffer;
}

/** Estimates tokens that were not reported, after the answer and without delaying other streams. Never rejects. */
export interface UsageEstimator {
  input(request: UncountedRequest): Promise<number>;
  output(answer: UncountedAnswer): Promise<number>;
  /** Returns `undefined` if no report of the model was compared. */
  accuracy?(model: CountedModel): Accuracy | undefined;
}

import type { FormatName } from '../../formats/conversation.ts';
import type { Endpoint } from './endpoint.ts';

/** The typical number of bytes for one token, in text that is not read. */
export const BYTES_PER_TOKEN = 4;

/** The model that reads or writes, because models count tokens differently. */
export interface CountedModel {
  /** The ID of the upstream. */
  readonly upstream: string;
  /** The upstream's name for the model. */
  readonly model: string;
}

/** The body of a request whose usage was not reported. */
export interface UncountedRequest extends CountedModel {
  readonly endpoint: Endpoint;
  readonly body: Uint8Array;
}

/** The received part of an answer whose usage was not reported. */
export interface UncountedAnswer extends CountedModel {
  /** The caller's format. */
  readonly format: FormatName;
  /** Whether the bytes are server-sent events. Otherwise they are one JSON body. */
  readonly isStream: boolean;
  /** Uncompressed. May end at any byte. */
  readonly bytes: Uint8Array;
}

/** The deviation of estimates for a model's input from the usage that its upstream reported. */
export interface Accuracy {
  /** The mean deviation as a fraction, such as 0.04. */
  readonly error: number;
  /** The number of reports that were compared. */
  readonly reports: number;
}

/** Estimates tokens that were not reported, after the answer and without delaying other streams. Never rejects. */
export interface UsageEstimator {
  input(request: UncountedRequest): Promise<number>;
  output(answer: UncountedAnswer): Promise<number>;
  /** Returns `undefined` if no report of the model was compared. */
  accuracy?(model: CountedModel): Accuracy | undefined;
}

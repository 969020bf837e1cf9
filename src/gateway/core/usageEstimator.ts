import type { FormatName } from '../../formats/conversation.ts';
import type { Endpoint } from './endpoint.ts';

/** Whose model it is that reads or writes: models count in different ways. */
export interface CountedModel {
  /** The id of the upstream. */
  readonly upstream: string;
  /** As the upstream calls it. */
  readonly model: string;
}

/** The body of a request that nobody has counted. */
export interface UncountedRequest extends CountedModel {
  readonly endpoint: Endpoint;
  readonly body: Uint8Array;
}

/** What came of an answer that nobody has counted. */
export interface UncountedAnswer extends CountedModel {
  /** The caller's. */
  readonly format: FormatName;
  /** Whether the bytes are server-sent events, else one JSON body. */
  readonly isStream: boolean;
  /** Plain; it may break off anywhere. */
  readonly bytes: Uint8Array;
}

/** How far estimates of a model's input were from what its upstream reported. */
export interface Accuracy {
  /** The mean deviation as a fraction, such as 0.04. */
  readonly error: number;
  /** The number of reports that were compared. */
  readonly reports: number;
}

/** Sizes up in tokens what nobody has counted, late and away from what passes. Never rejects. */
export interface UsageEstimator {
  input(request: UncountedRequest): Promise<number>;
  output(answer: UncountedAnswer): Promise<number>;
  /** Absent, or `undefined`, when no report of the model was compared. */
  accuracy?(model: CountedModel): Accuracy | undefined;
}

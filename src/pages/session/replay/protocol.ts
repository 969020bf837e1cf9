/**
 * A replay: recorded requests of a session that were sent again to another model. Unlike the page of a session, it
 * contains texts, because its user compares them.
 */

/** A part of an answer's text. */
export interface TextSegment {
  readonly text: string;
  /** Whether the other answer does not contain it. */
  readonly differs?: true;
}

export interface CallView {
  readonly name: string;
  /** JSON as the model wrote it, or free text. */
  readonly arguments: string;
  /** Whether the other answer has no such call, or has other arguments in it. */
  readonly differs?: true;
}

/** The answer to one request. Unknown figures are undefined. */
export interface AnswerView {
  readonly segments: readonly TextSegment[];
  readonly calls: readonly CallView[];
  readonly inputTokens?: number;
  /** The part of the input that was read from a cache. */
  readonly readTokens?: number;
  readonly outputTokens?: number;
  /** In US dollars. */
  readonly cost?: number;
  readonly durationMs?: number;
}

/**
 * What two answers have in common. `sameCalls`: the same tool calls with other words. `otherArguments`: the same tools,
 * called with other arguments.
 */
export type AnswerComparison = 'same' | 'sameCalls' | 'otherArguments' | 'otherCalls' | 'otherText';

export type ReplayedState = 'waiting' | 'running' | 'answered' | 'failed' | 'stopped' | 'skipped';

/** One request of a replay with both answers. */
export interface ReplayedRequest {
  /** Counted from 1 in the replay. */
  readonly number: number;
  /** The number of the turn in the session. */
  readonly turn: number;
  /** When it was recorded, in milliseconds since the epoch. */
  readonly at: number;
  /** The beginning of the text that the request added. Empty if it added only results of tools. */
  readonly question: string;
  /** The number of results of tools that the request added. */
  readonly results: number;
  readonly recordedModel: string;
  readonly recorded: AnswerView;
  /** False if the recorded answer was not captured, so that only its figures are known. */
  readonly isAnswerKnown: boolean;
  readonly state: ReplayedState;
  /** Undefined until the answer has ended. */
  readonly replayed?: AnswerView;
  readonly comparison?: AnswerComparison;
  /** Why it failed, was stopped, or was not sent. */
  readonly problem?: string;
  /** Set if the model refused the recorded reasoning, and the request was sent without it. */
  readonly isWithoutReasoning?: true;
}

export interface ReplaySummary {
  readonly id: string;
  readonly model: string;
  /** When it started, in milliseconds since the epoch. */
  readonly at: number;
  readonly isRunning: boolean;
  readonly requests: number;
  readonly answered: number;
  /** In US dollars, as charged so far. */
  readonly cost: number;
}

export interface Replay extends ReplaySummary {
  readonly steps: readonly ReplayedRequest[];
  /** The cost that the user agreed to, in US dollars. Undefined if the price of the model is unknown. */
  readonly agreed?: { readonly low: number; readonly high: number };
  /** Why it ended before its last request. */
  readonly problem?: string;
}

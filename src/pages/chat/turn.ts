/** Questions and answers as the panel shows them. */
import type { ErrorKind } from '../../formats/apiError.ts';
import type { FormatName } from '../../formats/conversation.ts';
import type { AnswerContent, ToolCallView } from '../../rules/answer.ts';
import type { AttachmentView } from './context.ts';

export type { AnswerCitation, AnswerDelta, Refuser, ToolCallView } from '../../rules/answer.ts';

/** The position of the branch shown, counted from 1, and the number of branches. */
export interface BranchView {
  readonly position: number;
  readonly count: number;
}

export interface UserTurn {
  readonly role: 'user';
  readonly id: string;
  readonly text: string;
  /** A short sentence to show instead of a text that the user did not write. */
  readonly shown?: string;
  readonly attachments: readonly AttachmentView[];
  /** Undefined if there is only one branch. */
  readonly branch?: BranchView;
}

/** A button of an error card. The host implements its action. */
export type FailureAction =
  | 'retry'
  | 'continue'
  | 'setKey'
  | 'addCredit'
  | 'openDashboard'
  | 'askAdministrator'
  | 'chooseModel'
  | 'newConversation'
  | 'trySandbox'
  | 'openSettings'
  | 'openLog';

export interface FailureView {
  readonly kind: ErrorKind;
  /** What happened, in a few words. */
  readonly title: string;
  /** Why it happened, and what to do. Ends with whether it was charged, if known. */
  readonly detail: string;
  /** The first one is the primary button. */
  readonly steps: readonly FailureAction[];
}

/** The figures of one answer. Amounts are in US dollars, undefined if no price is known. */
export interface AnswerFigures {
  readonly inputTokens?: number;
  /** The part of `inputTokens` that was read from a cache. */
  readonly cachedTokens?: number;
  readonly outputTokens: number;
  readonly reasoningTokens?: number;
  /** The model that a route has chosen, such as `local/qwen`. */
  readonly answeredBy?: string;
  readonly cost?: number;
  /** The part of `cost` that was paid for another answer, of which this one is a copy. */
  readonly copiedCost?: number;
  /** How many secrets in the request were replaced, so that the service has not seen them. */
  readonly sealedSecrets?: number;
  readonly firstTokenMs?: number;
  readonly tokensPerSecond?: number;
  /**
   * The forecast from before the request was sent; undefined for a continued answer. The cost includes input and
   * expected answer.
   */
  readonly forecast?: { readonly inputTokens: number; readonly cost?: number };
  /** Whether the tokens are estimated locally instead of reported by the service. */
  readonly estimated: boolean;
}

/** A wait before a retry, such as after a rate limit or an overload. */
export interface RetryView {
  readonly attempt: number;
  readonly attempts: number;
  /** The time of the retry, in milliseconds since the epoch, and the length of the whole wait in milliseconds. */
  readonly at: number;
  readonly waitMs: number;
  readonly reason: 'rateLimit' | 'overloaded' | 'network' | 'timeout' | 'server';
}

/**
 * - `waiting`: for the end of another one.
 * - `failed`: it did not finish because of a fault, a loop, or its budget.
 */
export type HelperState = 'waiting' | 'running' | 'done' | 'failed' | 'stopped';

/** A helper that a call of the run has started. Amounts are in US dollars. */
export interface HelperView {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly model: string;
  readonly state: HelperState;
  /** Why it did not finish, in a few words. */
  readonly note?: string;
  /** The fault that none of its steps shows. */
  readonly fault?: string;
  /** 0 without one. */
  readonly budget: number;
  readonly spent?: number;
  readonly isSample?: true;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Without the results of their calls. */
  readonly steps: readonly AnswerTurn[];
}

/** A call as the panel shows it, with the helpers that it has started. */
export interface ShownCall extends ToolCallView {
  readonly helpers?: readonly HelperView[];
}

export interface AnswerTurn extends AnswerContent {
  readonly toolCalls?: readonly ShownCall[];
  readonly role: 'assistant';
  readonly id: string;
  readonly model: string;
  readonly format: FormatName;
  readonly sandbox: boolean;
  /** The duration of the reasoning in milliseconds, once the text has begun. */
  readonly reasoningMs?: number;
  readonly retry?: RetryView;
  readonly figures?: AnswerFigures;
  readonly failure?: FailureView;
  /** Undefined if there is only one branch. */
  readonly branch?: BranchView;
  /** Whether another window is answering. Only that window can stop the answer. */
  readonly elsewhere?: true;
  /** The run that it is a step of, by the ID of its question. */
  readonly run?: string;
  /** Whether it sums up the steps before it, and is sent instead of them from then on. */
  readonly isSummary?: true;
  /** Whether the user has changed the text of the summary. */
  readonly isEdited?: true;
}

/** Answers of several models to one question, side by side until one of them is kept. */
export interface ComparisonTurn {
  readonly role: 'comparison';
  readonly id: string;
  readonly answers: readonly AnswerTurn[];
}

export type ChatTurn = UserTurn | AnswerTurn | ComparisonTurn;

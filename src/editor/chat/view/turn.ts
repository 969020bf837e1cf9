/** Questions and answers as the panel shows them. */
import type { ErrorKind } from '../../../formats/apiError.ts';
import type { FormatName } from '../../../formats/conversation.ts';
import type { AnswerContent } from '../../../rules/answer.ts';
import type { AttachmentView } from './context.ts';

export type { AnswerCitation, AnswerDelta, Refuser, ToolCallView } from '../../../rules/answer.ts';

/** Which of several branches shows here. Counted from 1. */
export interface BranchView {
  readonly position: number;
  readonly count: number;
}

export interface UserTurn {
  readonly role: 'user';
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly AttachmentView[];
  /** Absent when there is but one. */
  readonly branch?: BranchView;
}

/** A button of an error card; the host knows what each does. */
export type NextStep =
  | 'retry'
  | 'continue'
  | 'setKey'
  | 'addCredit'
  | 'chooseModel'
  | 'newConversation'
  | 'trySandbox'
  | 'openSettings'
  | 'openLog';

export interface FailureView {
  readonly kind: ErrorKind;
  /** What happened, in a few words. */
  readonly title: string;
  /** Why, and what to do. Ends with whether anything was charged, where that is known. */
  readonly detail: string;
  /** The first is the primary button. */
  readonly steps: readonly NextStep[];
}

/** Figures of one answer. Money in US dollars, absent when no price is known. */
export interface AnswerFigures {
  readonly inputTokens?: number;
  readonly outputTokens: number;
  readonly reasoningTokens?: number;
  readonly cost?: number;
  readonly firstTokenMs?: number;
  readonly tokensPerSecond?: number;
  /** What was said before sending; absent for an answer that went on. The cost is that of input and expected answer. */
  readonly forecast?: { readonly inputTokens: number; readonly cost?: number };
  /** True while the tokens are counted here rather than reported by the service. */
  readonly estimated: boolean;
}

/** A wait before the request is sent again after a rate limit or an overload. */
export interface RetryView {
  readonly attempt: number;
  readonly attempts: number;
  /** Milliseconds since the epoch at which it is sent, and how long the whole wait is. */
  readonly at: number;
  readonly waitMs: number;
  readonly reason: 'rateLimit' | 'overloaded' | 'network' | 'timeout' | 'server';
}

export interface AnswerTurn extends AnswerContent {
  readonly role: 'assistant';
  readonly id: string;
  readonly model: string;
  readonly format: FormatName;
  readonly sandbox: boolean;
  /** Milliseconds that the reasoning took, once the text has begun. */
  readonly reasoningMs?: number;
  readonly retry?: RetryView;
  readonly figures?: AnswerFigures;
  readonly failure?: FailureView;
  /** Absent when there is but one. */
  readonly branch?: BranchView;
  /** Another window is answering: it can be stopped there alone. */
  readonly elsewhere?: true;
}

/** Answers of several models to one question, side by side until one of them is kept. */
export interface ComparisonTurn {
  readonly role: 'comparison';
  readonly id: string;
  readonly answers: readonly AnswerTurn[];
}

export type Turn = UserTurn | AnswerTurn | ComparisonTurn;

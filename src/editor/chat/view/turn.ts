/** Questions and answers as the panel shows them. */
import type { ErrorKind } from '../../../formats/apiError.ts';
import type { Citation, FormatName, TextSpan } from '../../../formats/conversation.ts';
import type { AttachmentView } from './context.ts';

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

/** A call of a tool by the model. */
export interface ToolCallView {
  readonly id: string;
  readonly name: string;
  /** As the model wrote them: JSON, or free text. Empty until they are whole. */
  readonly arguments: string;
  /** What the tool gave back, where it was run. */
  readonly result?: string;
}

/** A source, and what of the answer's text it stands for, where that is known. */
export interface AnswerCitation extends Citation {
  readonly span?: TextSpan;
  /** The service's proof of it, which goes back with the next question. */
  readonly proof?: string;
}

/** Who refused: the model, or a filter of the service that held the answer back. */
export type Refuser = 'model' | 'filter';

export interface AnswerTurn {
  readonly role: 'assistant';
  readonly id: string;
  readonly model: string;
  readonly format: FormatName;
  readonly sandbox: boolean;
  readonly reasoning: string;
  readonly text: string;
  /** Milliseconds that the reasoning took, once the text has begun. */
  readonly reasoningMs?: number;
  /** `cut`: the answer reached the token limit. */
  readonly status: 'waiting' | 'streaming' | 'complete' | 'cut' | 'stopped' | 'failed';
  readonly toolCalls?: readonly ToolCallView[];
  /** What the answer draws on: a source may stand for several passages. */
  readonly citations?: readonly AnswerCitation[];
  /** The words of a refusal, where the format tells them from the text. */
  readonly refusal?: string;
  readonly refusedBy?: Refuser;
  readonly retry?: RetryView;
  readonly figures?: AnswerFigures;
  readonly failure?: FailureView;
  /** Absent when there is but one. */
  readonly branch?: BranchView;
  /** Another window is answering: it can be stopped there alone. */
  readonly elsewhere?: true;
}

/** What an answer grows by. */
export interface AnswerDelta {
  readonly text?: string;
  readonly reasoning?: string;
  readonly refusal?: string;
  /** A call, or one that is known by its id and is whole now. */
  readonly toolCall?: ToolCallView;
  readonly citation?: AnswerCitation;
}

/** Answers of several models to one question, side by side until one of them is kept. */
export interface ComparisonTurn {
  readonly role: 'comparison';
  readonly id: string;
  readonly answers: readonly AnswerTurn[];
}

export type Turn = UserTurn | AnswerTurn | ComparisonTurn;

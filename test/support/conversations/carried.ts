import type * as fc from 'fast-check';
import type { FinishReason } from '../../../src/formats/answer.ts';
import type { ChatRequest, DocumentPart, MediaSource, ToolChoice } from '../../../src/formats/conversation.ts';
import type { Usage } from '../../../src/formats/usage.ts';

/** `text`: only text; `signed`: a signature, with or without text; `encrypted`: no text; `both`: text and encrypted. */
export type ReasoningKind = 'text' | 'signed' | 'encrypted' | 'both';

type Member = Exclude<keyof ChatRequest, 'model' | 'system' | 'messages' | 'tools' | 'toolChoice'>;
/** The optional request members that a format has, each with the values that it supports. */
export type Members = { readonly [K in Member]?: fc.Arbitrary<NonNullable<ChatRequest[K]>> };

export interface Carried {
  readonly members: Members;
  /** Instructions in the middle of a conversation; never its first message. */
  readonly systemMessages: boolean;
  readonly cacheHints: boolean;
  readonly images: readonly MediaSource['kind'][];
  readonly imageDetail: boolean;
  readonly documents: readonly DocumentPart['source']['kind'][];
  readonly documentNames: boolean;
  readonly resultParts: readonly ('text' | 'image' | 'document')[];
  /** Whether a result can state that the tool failed. */
  readonly resultErrors: boolean;
  readonly reasoning: readonly ReasoningKind[];
  readonly refusals: boolean;
  /** True if the parts of an answer can have any order and number; otherwise: reasoning, text, refusal, tool calls. */
  readonly anyPartOrder: boolean;
  readonly strictTools: boolean;
  readonly freeFormTools: boolean;
  readonly namespaces: boolean;
  readonly itemIds: boolean;
  readonly toolChoices: readonly ToolChoice['type'][];
  readonly finishReasons: readonly FinishReason[];
  /** Whether an answer states the stop sequence that ended it. */
  readonly namedStopSequence: boolean;
  readonly createdAt: boolean;
  readonly usage: readonly Exclude<keyof Usage, 'inputTokens' | 'outputTokens'>[];
  /** Prefix of answer IDs, such as `msg_`. */
  readonly idPrefix: string;
}

/**
 * The neutral form in the middle of every translation: what a request, an answer and a stream of an answer say,
 * without the spelling of any one wire format. Translating A to B is `B.encode(A.decode(x))`.
 *
 * Optional members are absent when the wire did not say; nobody invents defaults here. All numbers of tokens are
 * whole tokens; times are seconds since the epoch unless a name says otherwise.
 */
import type { ApiError } from './apiError.ts';

// ---------------------------------------------------------------------------------------------- parts of messages

/** Marks the end of a prefix that the upstream may cache. `ttl` is the wire's own word, such as `5m` or `1h`. */
export interface CacheHint {
  readonly ttl?: string;
}

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly cacheHint?: CacheHint;
  /** Of the text of an answer. */
  readonly citations?: readonly PlacedCitation[];
  /** Of the tokens of an answer's text, in their order. */
  readonly logProbs?: readonly TokenLogProb[];
}

/** Where the bytes of an image or document are. `data` is base64 without a `data:` prefix. */
export type MediaSource =
  | { readonly kind: 'base64'; readonly mediaType: string; readonly data: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'file'; readonly id: string };

export interface ImagePart {
  readonly type: 'image';
  readonly source: MediaSource;
  /** Resolution asked for: `auto`, `low` or `high`. */
  readonly detail?: string;
  readonly cacheHint?: CacheHint;
}

export interface DocumentPart {
  readonly type: 'document';
  /** `text` is a document whose content is given as plain text. */
  readonly source: MediaSource | { readonly kind: 'text'; readonly text: string };
  readonly name?: string;
  readonly cacheHint?: CacheHint;
}

/** A call of a tool by the model. */
export interface ToolCallPart {
  readonly type: 'toolCall';
  /** What the matching {@link ToolResultPart} refers to. */
  readonly id: string;
  readonly name: string;
  /** JSON text of the arguments exactly as the model wrote it; free text when `freeForm`. */
  readonly arguments: string;
  /** The group of tools that the name belongs to, where a format has such groups. */
  readonly namespace?: string;
  /** True when the tool takes one free-form string instead of JSON. */
  readonly freeForm?: true;
  /** True when the call looks for further tools, which the client then offers. */
  readonly toolSearch?: true;
  /** The item's own id, where a format has one beside the call's id. */
  readonly itemId?: string;
  readonly cacheHint?: CacheHint;
}

export interface ToolResultPart {
  readonly type: 'toolResult';
  readonly toolCallId: string;
  readonly content: readonly (TextPart | ImagePart | DocumentPart)[];
  readonly isError?: boolean;
  /** True when it answers a free-form call. */
  readonly freeForm?: true;
  /** True when it answers a search for tools; those found are among the request's tools. */
  readonly toolSearch?: true;
  readonly itemId?: string;
  readonly cacheHint?: CacheHint;
}

/** What the model thought. `signature` or `encrypted` must go back to the service unchanged in the next turn. */
export interface ReasoningPart {
  readonly type: 'reasoning';
  /** Empty when only the signature or the encrypted form is known. */
  readonly text: string;
  /** The messages format's proof of the text. */
  readonly signature?: string;
  /** Reasoning that only the service can read: redacted thinking, or encrypted content. */
  readonly encrypted?: string;
  readonly itemId?: string;
}

export interface RefusalPart {
  readonly type: 'refusal';
  readonly text: string;
}

export type UserPart = TextPart | ImagePart | DocumentPart;
export type AssistantPart = TextPart | ReasoningPart | ToolCallPart | RefusalPart;

// ------------------------------------------------------------------------------------------------------- messages

/** Instructions in the middle of a conversation; those at its head are in {@link ChatRequest.system}. */
export interface SystemMessage {
  readonly role: 'system';
  readonly parts: readonly TextPart[];
}
export interface UserMessage {
  readonly role: 'user';
  readonly parts: readonly UserPart[];
}
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly parts: readonly AssistantPart[];
}
/** The results of the tool calls before it. Consecutive results on the wire are one such message. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly parts: readonly ToolResultPart[];
}
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

// -------------------------------------------------------------------------------------------------------- request

/** JSON as it came off the wire. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/** A tool that the client runs and the model may call. */
export interface Tool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments, passed on as it came. Absent on a free-form tool. */
  readonly parameters?: JsonObject;
  readonly strict?: boolean;
  /** True when the tool takes one free-form string; `grammar` (`syntax` and `definition`) then constrains it. */
  readonly freeForm?: true;
  readonly grammar?: JsonObject;
  /** True when it looks for further tools, which the client then offers. */
  readonly toolSearch?: true;
  readonly namespace?: string;
  readonly cacheHint?: CacheHint;
  /** True when it came as an item of the conversation; see inputTools.ts. */
  readonly fromInput?: true;
}

/** A tool that the upstream would run itself, such as web search, as it came off the wire. */
export interface HostedTool {
  readonly format: FormatName;
  readonly type: string;
  readonly definition: JsonObject;
  readonly fromInput?: true;
}

export type ToolChoice =
  | { readonly type: 'auto' | 'none' | 'required' }
  /** `namespace` where the wire names it; a hosted tool is named by its type. */
  | { readonly type: 'tool'; readonly name: string; readonly namespace?: string }
  | { readonly type: 'allowed'; readonly mode: 'auto' | 'required'; readonly names: readonly string[] };

export interface Reasoning {
  /** `none` switches reasoning off; further words of the wire (`xhigh`, `max`) pass as they are. */
  readonly effort?: string;
  /** Most tokens to think with. */
  readonly budgetTokens?: number;
  /** True when the model decides by itself how much to think. */
  readonly adaptive?: true;
  /** How much of a summary to show: `auto`, `concise`, `detailed`. */
  readonly summary?: string;
}

export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'jsonObject' }
  | {
      readonly type: 'jsonSchema';
      readonly name?: string;
      readonly description?: string;
      readonly schema: JsonObject;
      readonly strict?: boolean;
    };

export interface ChatRequest {
  readonly model: string;
  /** Instructions at the head of the conversation, in order. */
  readonly system: readonly TextPart[];
  readonly messages: readonly Message[];
  readonly tools?: readonly Tool[];
  readonly hostedTools?: readonly HostedTool[];
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  /** True when the client knows calls in the older form of chat-completions alone: one an answer, and without an id. */
  readonly olderCalls?: true;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly seed?: number;
  readonly stopSequences?: readonly string[];
  readonly reasoning?: Reasoning;
  readonly responseFormat?: ResponseFormat;
  /** How wordy the answer shall be: `low`, `medium`, `high`. */
  readonly verbosity?: string;
  readonly serviceTier?: string;
  readonly userId?: string;
  readonly metadata?: JsonObject;
  readonly stream?: boolean;
  /** Whether the client asked for a usage chunk at the end of a chat-completions stream. */
  readonly includeUsage?: boolean;
  readonly store?: boolean;
  readonly previousResponseId?: string;
  /** Requests with one key are likely to share a prefix that the upstream has cached. */
  readonly promptCacheKey?: string;
  /** `auto`: the oldest messages may be left out when the context is full; `disabled`: the request fails then. */
  readonly truncation?: string;
  /** Asks for {@link TextPart.logProbs}, with so many tokens that could have been said instead. */
  readonly logProbs?: { readonly top: number };
  /** Names of what the wire said besides and has no place here, as they stand on the wire, each once. */
  readonly unread?: readonly string[];
}

// --------------------------------------------------------------------------------------------------------- answer

/** `inputTokens` is the whole prompt: tokens read from or written to a cache are counted in it, once. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Part of `cacheWriteTokens`: what the cache keeps for an hour or longer, at a price of its own. */
  readonly longCacheWriteTokens?: number;
  /** Parts of `inputTokens`. */
  readonly audioInputTokens?: number;
  readonly imageInputTokens?: number;
  /** Part of `outputTokens`. */
  readonly reasoningTokens?: number;
  /** Parts of `outputTokens`. */
  readonly audioOutputTokens?: number;
  readonly imageOutputTokens?: number;
  /** How often a tool of the service searched the web, which has a fee of its own. */
  readonly webSearches?: number;
}

/** Why an answer ended. `stop` is the natural end of a turn. */
export type FinishReason =
  | 'stop'
  | 'stopSequence'
  | 'length'
  | 'toolCalls'
  | 'refusal'
  | 'contentFilter'
  | 'pause'
  | 'contextWindow';

/** What an answer draws on: a page, a document, or a passage of one. */
export interface Citation {
  readonly url?: string;
  readonly title?: string;
  /** The words that are cited. */
  readonly quote?: string;
}

/** The words of an answer that a citation stands for: characters of the text of their part, `end` not among them. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Without a span it stands for the whole text of its part. */
export interface PlacedCitation {
  readonly citation: Citation;
  readonly span?: TextSpan;
  /** The messages format's proof that its service found the page; goes back to it unchanged. */
  readonly proof?: string;
}

/** How likely a token was, as a natural logarithm. `bytes` are its own in UTF-8, which may be less than a character. */
export interface LogProb {
  readonly token: string;
  readonly logProb: number;
  readonly bytes?: readonly number[];
}

/** Of a token that was said, with the likeliest ones in its place. */
export interface TokenLogProb extends LogProb {
  readonly top: readonly LogProb[];
}

/** A whole answer, not streamed. */
export interface ChatResponse {
  readonly id: string;
  readonly model: string;
  readonly createdAt?: number;
  readonly parts: readonly AssistantPart[];
  readonly finishReason: FinishReason;
  /** The sequence that ended the answer, with finish reason `stopSequence`. */
  readonly stopSequence?: string;
  readonly usage?: Usage;
  /** Names of what the wire said and this form has no place for, each once: types of parts, members. */
  readonly unread?: readonly string[];
}

/**
 * One step of a streamed answer. `index` numbers the parts of the answer from 0 in the order of their start; a part
 * of text, reasoning or refusal begins with its first delta and ends when another part begins. Only tool calls may
 * overlap. After `finish` comes nothing but perhaps `usage`; after `error` nothing at all.
 */
export type ChatEvent =
  | {
      readonly type: 'start';
      readonly id: string;
      readonly model: string;
      readonly createdAt?: number;
    }
  /** `logProbs` are of the tokens of this piece, which may be less than a character and then have no text. */
  | {
      readonly type: 'textDelta';
      readonly index: number;
      readonly text: string;
      readonly logProbs?: readonly TokenLogProb[];
    }
  /** `itemId` stands on the first delta, where it is known that early; the seal says it again. */
  | { readonly type: 'reasoningDelta'; readonly index: number; readonly text: string; readonly itemId?: string }
  /** The rest of a reasoning part beside its text; comes after its deltas, or alone. */
  | {
      readonly type: 'reasoningSeal';
      readonly index: number;
      readonly signature?: string;
      readonly encrypted?: string;
      readonly itemId?: string;
    }
  /** Belongs to the text of the part `index`, and may come before that text, between its pieces, or after it. */
  | ({ readonly type: 'citation'; readonly index: number } & PlacedCitation)
  | { readonly type: 'refusalDelta'; readonly index: number; readonly text: string }
  | {
      readonly type: 'toolCallStart';
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly namespace?: string;
      readonly freeForm?: true;
      readonly toolSearch?: true;
      readonly itemId?: string;
    }
  | { readonly type: 'toolCallDelta'; readonly index: number; readonly arguments: string }
  | { readonly type: 'toolCallEnd'; readonly index: number }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly stopSequence?: string }
  | { readonly type: 'error'; readonly error: ApiError }
  /** An event that did not fit its format. The stream goes on; `data` is the start of what came. */
  | { readonly type: 'malformed'; readonly problem: string; readonly data: string };

export const FORMAT_NAMES = ['chat-completions', 'messages', 'responses'] as const;

export type FormatName = (typeof FORMAT_NAMES)[number];

/**
 * The neutral form of conversations and requests between all wire formats, independent of any format. Answers are in
 * `answer.ts`. Translating A to B is `B.encode(A.decode(x))`.
 *
 * Optional members are undefined if the format did not contain them; there are no defaults here. All token counts are
 * whole tokens. Times are in seconds since the epoch unless a name says otherwise.
 */
import type { JsonObject } from './json.ts';

/** Marks the end of a prefix that the upstream may cache. `ttl` is the format's own value, such as `5m` or `1h`. */
export interface CacheHint {
  readonly ttl?: string;
}

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly cacheHint?: CacheHint;
  /** Citations of the text of an answer. */
  readonly citations?: readonly PlacedCitation[];
  /** Log probabilities of the tokens of an answer's text, in order. */
  readonly logProbs?: readonly TokenLogProb[];
}

/** The source of an image or document. `data` is base64 without a `data:` prefix. */
export type MediaSource =
  | { readonly kind: 'base64'; readonly mediaType: string; readonly data: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'file'; readonly id: string };

export interface ImagePart {
  readonly type: 'image';
  readonly source: MediaSource;
  /** The requested resolution: `auto`, `low`, or `high`. */
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

export interface ToolCallPart {
  readonly type: 'toolCall';
  /** The ID that the matching {@link ToolResultPart} refers to. */
  readonly id: string;
  readonly name: string;
  /** JSON text of the arguments exactly as the model wrote it, or free text if `freeForm` is true. */
  readonly arguments: string;
  /** The tool's namespace, in formats with namespaces. */
  readonly namespace?: string;
  /** True if the tool accepts one free-form string instead of JSON. */
  readonly freeForm?: true;
  /** True if the call searches for more tools, which the client then offers. */
  readonly toolSearch?: true;
  /** The item's own ID, in formats that have one in addition to the call ID. */
  readonly itemId?: string;
  /** Members of the service that it demands back unchanged, such as a signature of the call. */
  readonly extra?: JsonObject;
  readonly cacheHint?: CacheHint;
}

export interface ToolResultPart {
  readonly type: 'toolResult';
  readonly toolCallId: string;
  readonly content: readonly (TextPart | ImagePart | DocumentPart)[];
  readonly isError?: boolean;
  /** True if it is the result of a free-form call. */
  readonly freeForm?: true;
  /** True if it is the result of a tool search; the tools found are in the request's tools. */
  readonly toolSearch?: true;
  readonly itemId?: string;
  readonly cacheHint?: CacheHint;
}

/** The model's reasoning. `signature` or `encrypted` must be sent back unchanged in the next turn. */
export interface ReasoningPart {
  readonly type: 'reasoning';
  /** Empty if only the signature or the encrypted form is known. */
  readonly text: string;
  /** The messages format's signature, which proves that its service wrote the text. */
  readonly signature?: string;
  /** Reasoning that only the service can read: redacted thinking, or encrypted content. */
  readonly encrypted?: string;
  readonly itemId?: string;
  /** The chat-completions format's `reasoning_details`, if they contain more than this form does. */
  readonly details?: readonly JsonObject[];
}

export interface RefusalPart {
  readonly type: 'refusal';
  readonly text: string;
}

export type UserPart = TextPart | ImagePart | DocumentPart;
/** Images are only in answers: no format's services read them in the next request. */
export type AssistantPart = TextPart | ReasoningPart | ToolCallPart | RefusalPart | ImagePart;

/** A source of an answer: a page, a document, or a passage of one. */
export interface Citation {
  readonly url?: string;
  readonly title?: string;
  /** The cited text. */
  readonly quote?: string;
}

/**
 * The part of an answer's text that a citation applies to, in characters from the start of its part; `end` is
 * exclusive.
 */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A citation of an answer's text. Without a span, it applies to the whole text of its part. */
export interface PlacedCitation {
  readonly citation: Citation;
  readonly span?: TextSpan;
  /** The messages format's proof that its service found the page; sent back unchanged. */
  readonly proof?: string;
}

/**
 * The log probability of a token, as a natural logarithm. `bytes` is the token in UTF-8, possibly less than a whole
 * character.
 */
export interface LogProb {
  readonly token: string;
  readonly logProb: number;
  readonly bytes?: readonly number[];
}

/** The log probability of a token, with the most likely alternatives. */
export interface TokenLogProb extends LogProb {
  readonly top: readonly LogProb[];
}

/** A system prompt in the middle of a conversation; those at the beginning are in {@link ChatRequest.system}. */
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
/** The results of the tool calls before it. Consecutive results form one message. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly parts: readonly ToolResultPart[];
}
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** A tool that the client runs and the model may call. */
export interface Tool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments, passed on unchanged. Undefined for a free-form tool. */
  readonly parameters?: JsonObject;
  readonly strict?: boolean;
  /** True if the tool accepts one free-form string, which `grammar` (`syntax` and `definition`) can constrain. */
  readonly freeForm?: true;
  readonly grammar?: JsonObject;
  /** True if it searches for more tools, which the client then offers. */
  readonly toolSearch?: true;
  readonly namespace?: string;
  readonly cacheHint?: CacheHint;
  /** True if it was an item of the conversation; see `InputTools`. */
  readonly fromInput?: true;
}

/** A tool that the upstream runs itself, such as web search, as received. */
export interface HostedTool {
  readonly format: FormatName;
  readonly type: string;
  readonly definition: JsonObject;
  readonly fromInput?: true;
}

export type ToolChoice =
  | { readonly type: 'auto' | 'none' | 'required' }
  /** `namespace` is set if the format has one. A hosted tool is identified by its type. */
  | { readonly type: 'tool'; readonly name: string; readonly namespace?: string }
  | { readonly type: 'allowed'; readonly mode: 'auto' | 'required'; readonly names: readonly string[] };

export interface Reasoning {
  /** `none` turns reasoning off. Other values of a format (`xhigh`, `max`) are passed on unchanged. */
  readonly effort?: string;
  readonly budgetTokens?: number;
  /** True if the model decides how much to reason. */
  readonly adaptive?: true;
  /** Detail of the summary: `auto`, `concise`, `detailed`. */
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
  /** System prompts at the beginning of the conversation, in order. */
  readonly system: readonly TextPart[];
  readonly messages: readonly Message[];
  readonly tools?: readonly Tool[];
  readonly hostedTools?: readonly HostedTool[];
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  /** True if the client only supports calls in the older form of chat-completions: one per answer, without an ID. */
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
  /** Verbosity of the answer: `low`, `medium`, `high`. */
  readonly verbosity?: string;
  readonly serviceTier?: string;
  readonly userId?: string;
  readonly metadata?: JsonObject;
  readonly stream?: boolean;
  /** Whether the client asked for a usage chunk at the end of a chat-completions stream. */
  readonly includeUsage?: boolean;
  readonly store?: boolean;
  readonly previousResponseId?: string;
  /** Requests with the same key are likely to share a prefix that the upstream has cached. */
  readonly promptCacheKey?: string;
  /** `auto`: the oldest messages may be dropped if the context is full. `disabled`: the request fails instead. */
  readonly truncation?: string;
  /** Requests {@link TextPart.logProbs}, with this many alternative tokens. */
  readonly logProbs?: { readonly top: number };
  /** Names of members of the wire format that this form does not support, each once. */
  readonly dropped?: readonly string[];
  /** Types of parts of users and tools that are in no known form. */
  readonly unread?: readonly string[];
}

export const FORMAT_NAMES = ['chat-completions', 'messages', 'responses'] as const;

export type FormatName = (typeof FORMAT_NAMES)[number];
